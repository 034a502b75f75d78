#include "apiserver/handler/selectors.h"

#include <algorithm>
#include <utility>

#include "schema/json/index.h"
#include "schema/json/walk.h"

namespace berth::apiserver {
namespace {

// Label selector parser.
class LabelParser {
 public:
  explicit LabelParser(std::string_view text) : text_(text) {}

  base::Result<api::LabelSelector> Parse() {
    api::LabelSelector selector;
    SkipSpace();
    while (at_ < text_.size()) {
      auto requirement = ParseRequirement();
      if (!requirement) return std::unexpected(requirement.error());
      selector.match_expressions.push_back(std::move(*requirement));
      SkipSpace();
      if (at_ == text_.size()) break;
      if (!Take(",")) return Malformed("expected a comma");
      SkipSpace();
      if (at_ == text_.size()) return Malformed("nothing follows the last comma");
    }
    return selector;
  }

 private:
  base::Result<api::LabelSelectorRequirement> ParseRequirement() {
    api::LabelSelectorRequirement requirement;
    const bool is_absent = Take("!");
    SkipSpace();
    requirement.key = Word();
    if (requirement.key.empty()) return Malformed("expected a label");
    SkipSpace();
    if (is_absent) {
      requirement.op = api::kSelectorDoesNotExist;
      return requirement;
    }
    return ParseOperator(std::move(requirement));
  }

  base::Result<api::LabelSelectorRequirement> ParseOperator(
      api::LabelSelectorRequirement requirement) {
    if (at_ == text_.size() || text_[at_] == ',') {
      requirement.op = api::kSelectorExists;
      return requirement;
    }
    if (Take("!=")) return WithValue(std::move(requirement), api::kSelectorNotIn);
    if (Take("==") || Take("=")) return WithValue(std::move(requirement), api::kSelectorIn);
    const std::string word = Word();
    if (word == "in") return WithSet(std::move(requirement), api::kSelectorIn);
    if (word == "notin") return WithSet(std::move(requirement), api::kSelectorNotIn);
    return Malformed("expected =, !=, in or notin");
  }

  base::Result<api::LabelSelectorRequirement> WithValue(api::LabelSelectorRequirement requirement,
                                                        std::string_view op) {
    SkipSpace();
    requirement.op = op;
    requirement.values.push_back(Word());
    return requirement;
  }

  base::Result<api::LabelSelectorRequirement> WithSet(api::LabelSelectorRequirement requirement,
                                                      std::string_view op) {
    requirement.op = op;
    SkipSpace();
    if (!Take("(")) return Malformed("expected a list in parentheses");
    do {
      SkipSpace();
      requirement.values.push_back(Word());
      SkipSpace();
    } while (Take(","));
    if (!Take(")")) return Malformed("expected a closing parenthesis");
    return requirement;
  }

  std::string Word() {
    const size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t,=!()<>").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool Take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  std::unexpected<base::Error> Malformed(std::string_view problem) const {
    return base::Fail("unable to parse requirement: " + std::string(problem) + " at character " +
                          std::to_string(at_ + 1) + " of \"" + std::string(text_) + "\"",
                      "write selectors as a=1,b!=2,c in (x,y),!d");
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Splits at unescaped commas; escapes are kept.
std::vector<std::string_view> SplitTerms(std::string_view text) {
  std::vector<std::string_view> terms;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '\\') {
      ++i;
    } else if (i >= text.size() || text[i] == ',') {
      const size_t end = std::min(i, text.size());
      if (end > begin) terms.push_back(text.substr(begin, end - begin));
      begin = i + 1;
    }
  }
  return terms;
}

std::string Unescaped(std::string_view value) {
  std::string plain;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) ++i;
    plain += value[i];
  }
  return plain;
}

std::optional<FieldTerm> ParseTerm(std::string_view term) {
  const size_t at = term.find('=');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const bool is_negated = term[at - 1] == '!';
  std::string_view value = term.substr(at + 1);
  if (!is_negated && value.starts_with('=')) value.remove_prefix(1);
  return FieldTerm{.path = std::string(term.substr(0, is_negated ? at - 1 : at)),
                   .value = Unescaped(value),
                   .is_negated = is_negated};
}

// The token of an object's member; nullopt if absent.
std::optional<size_t> FindMember(const schema::JsonIndex& index, size_t object,
                                 std::string_view name) {
  if (index.first(object) != '{') return std::nullopt;
  std::optional<size_t> found;
  schema::WalkObject(index, object, [&](size_t key, size_t value) {
    const std::string_view token = index.token(key);
    if (token.substr(1, token.size() - 2) == name) found = value;
  });
  return found;
}

// The value at a path, as text.
std::string ValueAt(const schema::JsonIndex& index, std::string_view path) {
  std::optional<size_t> at = 0;
  while (at && !path.empty()) {
    const size_t dot = path.find('.');
    at = FindMember(index, *at, path.substr(0, dot));
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  if (!at) return "";
  const std::string_view token = index.token(*at);
  if (token.starts_with('"')) return schema::UnescapeJsonString(token).value_or("");
  return token == "null" ? "" : std::string(token);
}

api::Labels LabelsOf(const schema::JsonIndex& index) {
  api::Labels labels;
  const auto metadata = FindMember(index, 0, "metadata");
  const auto found = metadata ? FindMember(index, *metadata, "labels") : std::nullopt;
  if (!found || index.first(*found) != '{') return labels;
  schema::WalkObject(index, *found, [&](size_t key, size_t value) {
    const auto name = schema::UnescapeJsonString(index.token(key));
    const auto text =
        index.first(value) == '"' ? schema::UnescapeJsonString(index.token(value)) : std::nullopt;
    if (name && text) labels.Set(*name, *text);
  });
  return labels;
}

// Absent numbers and booleans match their zero value.
bool Agrees(const std::string& actual, const std::string& wanted) {
  return actual == wanted || (actual.empty() && (wanted == "false" || wanted == "0"));
}

}  // namespace

base::Result<api::Selector> ParseLabelSelector(std::string_view text) {
  auto parsed = LabelParser(text).Parse();
  if (!parsed) return std::unexpected(parsed.error());
  return api::Selector::Compile(*parsed);
}

base::Result<std::vector<FieldTerm>> ParseFieldSelector(std::string_view text) {
  std::vector<FieldTerm> terms;
  for (const std::string_view part : SplitTerms(text)) {
    auto term = ParseTerm(part);
    if (!term)
      return base::Fail("invalid selector: '" + std::string(text) + "'; can't understand '" +
                            std::string(part) + "'",
                        "write terms as metadata.name=a or status.phase!=Failed");
    terms.push_back(std::move(*term));
  }
  return terms;
}

bool ObjectFilter::Matches(std::string_view object) const {
  if (is_everything()) return true;
  thread_local schema::JsonIndex index;
  if (index.Build(object)) return false;
  for (const FieldTerm& term : fields_)
    if (Agrees(ValueAt(index, term.path), term.value) == term.is_negated) return false;
  return labels_.is_everything() || labels_.Matches(LabelsOf(index));
}

std::optional<std::string> ObjectFilter::OnlyName() const {
  for (const FieldTerm& term : fields_)
    if (term.path == "metadata.name" && !term.is_negated) return term.value;
  return std::nullopt;
}

}  // namespace berth::apiserver
