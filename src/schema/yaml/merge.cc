#include "schema/yaml/merge.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace berth::schema {
namespace {

// A range of the old text.
struct Range {
  size_t begin;
  size_t end;
};

struct Entry {
  Range range;  // key, colon and value
  std::string_view key;
  bool is_merged;
  bool is_overridden = false;
};

// Splits JSON text of YamlReader, which is well-formed and compact.
class Splitter {
 public:
  explicit Splitter(std::string_view json) : json_(json) {}

  // The offset behind the value at this offset.
  size_t SkipValue(size_t at) const {
    size_t depth = 0;
    do {
      const char c = json_[at];
      if (c == '"') {
        at = SkipString(at);
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at;
    } while (depth > 0 || !EndsScalar(at));
    return at;
  }

  // Calls f(Range) for each item of the array, or each entry of the object, at the offset.
  template <class F>
  void ForEachItem(size_t at, F f) const {
    ++at;
    while (json_[at] != '}' && json_[at] != ']') {
      size_t end = SkipValue(at);
      if (json_[end] == ':') end = SkipValue(end + 1);
      f(Range{at, end});
      at = json_[end] == ',' ? end + 1 : end;
    }
  }

  std::string_view KeyOf(Range entry) const {
    return json_.substr(entry.begin, SkipString(entry.begin) - entry.begin);
  }
  size_t ValueOf(Range entry) const { return SkipString(entry.begin) + 1; }
  bool IsArray(size_t at) const { return json_[at] == '['; }

 private:
  size_t SkipString(size_t at) const {
    for (++at; json_[at] != '"'; ++at) {
      if (json_[at] == '\\') ++at;
    }
    return at + 1;
  }
  bool EndsScalar(size_t at) const {
    const char c = at < json_.size() ? json_[at] : ',';
    return c == ',' || c == ':' || c == '}' || c == ']';
  }

  std::string_view json_;
};

// The entries of the resulting object.
class MergedObject {
 public:
  void Add(const Splitter& splitter, Range range, bool is_merged) {
    const Entry entry{.range = range, .key = splitter.KeyOf(range), .is_merged = is_merged};
    const auto [it, is_new] = latest_.try_emplace(entry.key, entries_.size());
    if (!is_new) {
      Entry& earlier = entries_[it->second];
      if (is_merged || earlier.is_merged) earlier.is_overridden = true;
      it->second = entries_.size();
    }
    entries_.push_back(entry);
  }

  // Adds the entries of the object, or of the list of objects, at the offset.
  void Merge(const Splitter& splitter, size_t at) {
    if (!splitter.IsArray(at)) {
      splitter.ForEachItem(at, [&](Range entry) { Add(splitter, entry, true); });
      return;
    }
    std::vector<size_t> objects;
    splitter.ForEachItem(at, [&](Range item) { objects.push_back(item.begin); });
    for (auto it = objects.rbegin(); it != objects.rend(); ++it) Merge(splitter, *it);
  }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, size_t> latest_;  // only lookups, never iterated
};

}  // namespace

void ResolveMerges(std::string& json, SourceMap& map, size_t object,
                   std::span<const size_t> merges) {
  const std::string old = json.substr(object);
  const SourceMap old_map = map.CutFrom(object);
  const Splitter splitter(old);

  MergedObject merged;
  splitter.ForEachItem(0, [&](Range entry) {
    if (merges.empty() || entry.begin + object != merges.front()) {
      return merged.Add(splitter, entry, false);
    }
    merges = merges.subspan(1);
    merged.Merge(splitter, splitter.ValueOf(entry));
  });

  json.resize(object);
  map.Add(object, old_map.Find(object));
  json += '{';
  for (const Entry& entry : merged.entries()) {
    if (entry.is_overridden) continue;
    if (json.back() != '{') json += ',';
    const auto [begin, end] = entry.range;
    map.AddMoved(old_map, begin + object, end + object, json.size());
    json.append(old, begin, end - begin);
  }
  json += '}';
}

}  // namespace berth::schema
