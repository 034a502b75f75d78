#include "store/object.h"

#include <optional>
#include <utility>

#include "schema/json/index.h"
#include "schema/json/walk.h"

namespace berth::store {
namespace {

using schema::JsonIndex;

// Extracts the four metadata fields from an indexed text.
class MetadataReader {
 public:
  MetadataReader(const JsonIndex& index, Object& out) : index_(index), out_(out) {}

  base::Result<void> Read() {
    if (index_.first(0) != '{') return base::Fail("this is not a JSON object");
    std::optional<size_t> metadata;
    const auto broken = schema::WalkObject(index_, 0, [&](size_t key, size_t value) {
      if (index_.token(key) == "\"metadata\"") metadata = value;
    });
    if (broken) return Broken(*broken);
    if (!metadata || index_.first(*metadata) == 'n') return {};
    return ReadMetadata(*metadata);
  }

 private:
  base::Result<void> ReadMetadata(size_t metadata) {
    if (index_.first(metadata) != '{') return base::Fail("metadata must be an object");
    base::Result<void> result;
    const auto broken = schema::WalkObject(index_, metadata, [&](size_t key, size_t value) {
      std::string* target = TargetOf(index_.token(key));
      if (target == nullptr || !result) return;
      if (!Take(value, *target))
        result = base::Fail("metadata." + std::string(NameOf(key)) + " must be a string");
    });
    if (broken) return Broken(*broken);
    return result;
  }

  std::string_view NameOf(size_t key) const {
    const std::string_view token = index_.token(key);
    return token.substr(1, token.size() - 2);
  }

  std::string* TargetOf(std::string_view quoted_key) {
    if (quoted_key == "\"name\"") return &out_.name;
    if (quoted_key == "\"namespace\"") return &out_.namespace_;
    if (quoted_key == "\"uid\"") return &out_.uid;
    if (quoted_key == "\"resourceVersion\"") return &out_.resource_version;
    return nullptr;
  }

  bool Take(size_t value, std::string& target) {
    target.clear();
    if (index_.token(value) == "null") return true;
    if (index_.first(value) != '"') return false;
    std::optional<std::string> text = schema::UnescapeJsonString(index_.token(value));
    if (!text) return false;
    target = std::move(*text);
    return true;
  }

  base::Result<void> Broken(size_t token) const {
    const auto at = schema::PositionInText(index_.text(), index_.offset(token));
    return std::unexpected(base::Error{.message = "this is not JSON",
                                       .place = {.line = at.line, .column = at.column}});
  }

  const JsonIndex& index_;
  Object& out_;
};

}  // namespace

std::string ObjectName::ToString() const {
  return namespace_.empty() ? name : namespace_ + "/" + name;
}

base::Result<Object> Object::FromJson(std::string json) {
  thread_local JsonIndex index;
  if (const auto fault = index.Build(json)) {
    const auto at = schema::PositionInText(json, fault->offset);
    return std::unexpected(base::Error{.message = "this is not JSON: " + fault->message,
                                       .place = {.line = at.line, .column = at.column}});
  }
  Object object;
  if (auto read = MetadataReader(index, object).Read(); !read) return std::unexpected(read.error());
  object.json = std::make_shared<const std::string>(std::move(json));
  return object;
}

}  // namespace berth::store
