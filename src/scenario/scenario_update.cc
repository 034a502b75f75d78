#include "scenario/scenario_update.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/check.h"
#include "scenario/scenario.h"
#include "scenario/scenario_compare.h"
#include "scenario/scenario_run.h"
#include "schema/encode.h"
#include "schema/json/index.h"
#include "schema/json/walk.h"
#include "schema/yaml/to_json.h"
#include "schema/yaml/writer.h"

namespace berth::scenario {
namespace {

JobOutcomes WithoutEmptyProblems(const JobOutcomes& jobs) {
  JobOutcomes kept;
  for (const auto& [name, job] : jobs) {
    JobOutcome& copy = kept[name] = job;
    if (copy.problem == "") copy.problem.reset();
  }
  return kept;
}

// Reduces job outcomes to the jobs and members that the file names.
JobOutcomes AskedJobs(const JobOutcomes& want, JobOutcomes got) {
  JobOutcomes asked;
  for (const auto& [name, job] : want) {
    JobOutcome* actual = got.Find(name);
    if (actual == nullptr) continue;
    if (!job.is_managed) actual->is_managed.reset();
    if (!job.reason) actual->reason.reset();
    if (!job.queue) actual->queue.reset();
    if (!job.is_suspended) actual->is_suspended.reset();
    if (!job.workloads) actual->workloads.reset();
    if (!job.problem) actual->problem.reset();
    asked.Set(name, std::move(*actual));
  }
  return asked;
}

// Reduces an outcome to the members that the file names.
Outcome Asked(const std::optional<Outcome>& want, Outcome got) {
  if (!want) {
    got.per_cycle.reset();
    if (got.evicted->empty()) got.evicted.reset();
    if (got.finished->empty()) got.finished.reset();
    if (got.configuration_errors->empty()) got.configuration_errors.reset();
    got.configuration_warnings.reset();
    got.jobs = WithoutEmptyProblems(got.jobs);
    return got;
  }
  const auto keep = [](const auto& asked, auto& member) {
    if (!asked) member.reset();
  };
  keep(want->admissions, got.admissions);
  keep(want->newly_admitted, got.newly_admitted);
  keep(want->preempted, got.preempted);
  keep(want->evicted, got.evicted);
  keep(want->finished, got.finished);
  keep(want->pending, got.pending);
  keep(want->inadmissible, got.inadmissible);
  keep(want->configuration_errors, got.configuration_errors);
  keep(want->configuration_warnings, got.configuration_warnings);
  keep(want->per_cycle, got.per_cycle);
  got.jobs = AskedJobs(want->jobs, std::move(got.jobs));
  if (want->reasons.empty()) got.reasons.clear();
  return got;
}

// A replacement of a part of the text.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::string text;
};

std::string Apply(std::string_view text, std::vector<Edit> edits) {
  // At the same position, edits of steps come before those of the file.
  std::ranges::stable_sort(edits, std::ranges::greater(), &Edit::begin);
  std::string result(text);
  for (const Edit& edit : edits) result.replace(edit.begin, edit.end - edit.begin, edit.text);
  return result;
}

std::optional<size_t> MemberAt(const schema::JsonIndex& index, size_t object,
                               std::string_view name) {
  std::optional<size_t> found;
  schema::WalkObject(index, object, [&](size_t key, size_t value) {
    if (schema::UnescapeJsonString(index.token(key)) == name) found = value;
  });
  return found;
}

// The mappings that may hold a `want`: the file itself, then its steps.
std::vector<size_t> Holders(const schema::JsonIndex& index) {
  std::vector<size_t> holders = {0};
  const std::optional<size_t> steps = MemberAt(index, 0, "steps");
  if (steps && index.first(*steps) == '[')
    schema::WalkList(index, *steps, [&](size_t step) { holders.push_back(step); });
  return holders;
}

// --- JSON ----------------------------------------------------------------------------------------

// Pretty-prints JSON with one member or element a line and two spaces a level. The first line is
// not indented.
std::string Spread(std::string_view json, size_t indent) {
  std::string out;
  bool in_string = false;
  size_t depth = 0;
  const auto new_line = [&] { out += "\n" + std::string(indent + 2 * depth, ' '); };
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      out += c;
      if (c == '\\') out += json[++i];
      in_string = c != '"';
    } else if (c == '{' || c == '[') {
      out += c;
      const char closing = c == '{' ? '}' : ']';
      if (json[i + 1] == closing) {
        out += json[++i];
      } else {
        ++depth;
        new_line();
      }
    } else if (c == '}' || c == ']') {
      --depth;
      new_line();
      out += c;
    } else {
      out += c;
      in_string = c == '"';
      if (c == ',') new_line();
      if (c == ':') out += ' ';
    }
  }
  return out;
}

// The indentation of the line at a byte; nullopt if the file has one line.
std::optional<size_t> IndentAt(std::string_view text, size_t offset) {
  const size_t line = text.rfind('\n', offset);
  if (line == std::string_view::npos) return std::nullopt;
  const size_t first = text.find_first_not_of(" \t", line + 1);
  return first - line - 1;
}

Edit EditJson(std::string_view text, const schema::JsonIndex& index, size_t holder,
              const std::string& want) {
  if (const std::optional<size_t> value = MemberAt(index, holder, "want")) {
    const size_t begin = index.offset(*value);
    const std::optional<size_t> indent = IndentAt(text, begin);
    return {begin, begin + schema::ValueText(index, *value).size(),
            indent ? Spread(want, *indent) : want};
  }
  const std::string_view object = schema::ValueText(index, holder);
  const size_t brace = index.offset(holder) + object.size() - 1;
  const bool is_empty = index.first(holder + 1) == '}';
  const std::string comma = is_empty ? "" : ",";
  const std::optional<size_t> indent = IndentAt(text, brace);
  if (!indent) return {brace, brace, comma + "\"want\":" + want};
  const size_t after = text.find_last_not_of(" \t\r\n", brace - 1) + 1;
  const std::string margin(*indent + 2, ' ');
  return {after, brace,
          comma + "\n" + margin + "\"want\": " + Spread(want, *indent + 2) + "\n" +
              std::string(*indent, ' ')};
}

// --- YAML ----------------------------------------------------------------------------------------

// The length of a line break at the beginning of the text; 0 if there is none. YAML knows more line
// breaks than most editors.
size_t LengthOfBreak(std::string_view text) {
  for (const std::string_view end :
       {"\r\n", "\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"})
    if (text.starts_with(end)) return end.size();
  return 0;
}

// Line offsets of a text, with line breaks of YAML.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (size_t i = 0; i < text.size();) {
      const size_t length = LengthOfBreak(text.substr(i));
      i += std::max<size_t>(length, 1);
      if (length > 0) starts_.push_back(i);
    }
  }

  // Lines count from 1. The line after the last one begins at the end.
  size_t StartOf(size_t line) const {
    return line > starts_.size() ? text_.size() : starts_[line - 1];
  }
  std::string_view Text(size_t line) const {
    return text_.substr(StartOf(line), StartOf(line + 1) - StartOf(line));
  }
  size_t count() const { return starts_.size(); }

  // Blank, a comment, or the end of a document.
  bool IsBetween(size_t line) const {
    const std::string_view text = Text(line);
    const size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos || text[first] == '#' || text.starts_with("---") ||
           text.starts_with("...");
  }

 private:
  std::string_view text_;
  std::vector<size_t> starts_;
};

class YamlEditor {
 public:
  YamlEditor(std::string_view text, const schema::YamlDocument& document)
      : lines_(text), document_(document) {
    index_.Build(document.json);
  }

  const schema::JsonIndex& index() const { return index_; }

  base::Result<Edit> EditHolder(size_t holder, const std::string& want) const {
    const size_t end = EndLine(schema::SkipValue(index_, holder));
    if (const std::optional<size_t> value = MemberAt(index_, holder, "want")) {
      const size_t key = *value - 2;
      const size_t from = PositionOf(key).line;
      const size_t to = EndLine(schema::SkipValue(index_, *value));
      return Block(from, std::max(to, from + 1), PositionOf(key).column, want);
    }
    const bool is_empty = index_.first(holder + 1) != '"';
    if (is_empty) return Refuse("this step is empty");
    const At first = PositionOf(holder + 1);
    if (end <= first.line) return Refuse("it is written in one line");
    return Block(end, end, first.column, want);
  }

 private:
  struct At {
    size_t line = 0;
    size_t column = 0;
  };

  At PositionOf(size_t token) const {
    const schema::TextPosition position = document_.map.Find(index_.offset(token));
    return {static_cast<size_t>(position.line), static_cast<size_t>(position.column)};
  }

  // The line after the value that ends before `token`, without comments that belong to the next
  // key.
  size_t EndLine(size_t token) const {
    while (token < index_.token_count() && std::string_view("]},").contains(index_.first(token)))
      ++token;
    size_t line = token < index_.token_count() ? PositionOf(token).line : lines_.count() + 1;
    while (line > 1 && lines_.IsBetween(line - 1)) --line;
    return line;
  }

  static std::unexpected<base::Error> Refuse(std::string why) {
    return base::Fail("the file cannot be updated: " + std::move(why),
                      "write every key on a line of its own");
  }

  // Replaces lines [from, to) by a `want` at the column.
  base::Result<Edit> Block(size_t from, size_t to, size_t column, const std::string& want) const {
    const size_t begin = lines_.StartOf(from);
    const size_t end = lines_.StartOf(to);
    std::string text;
    if (from < to) {
      // The dash of a list may precede the key.
      const std::string_view before = lines_.Text(from).substr(0, column - 1);
      if (before.find_first_not_of(" -") != std::string_view::npos)
        return Refuse("want is not at the start of its line");
      text = before;
    } else {
      text = std::string(column - 1, ' ');
      if (begin > 0 && lines_.Text(from - 1).back() != '\n') text = "\n" + text;
    }
    const base::Result<std::string> yaml = schema::JsonToYaml(want);
    if (!yaml) return std::unexpected(yaml.error());
    if (want == "{}") return Edit{begin, end, text + "want: {}\n"};
    text += "want:\n";
    std::string_view rest = *yaml;
    while (!rest.empty()) {
      const size_t length = std::min(rest.find('\n'), rest.size());
      text += std::string(column + 1, ' ') + std::string(rest.substr(0, length)) + "\n";
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    return Edit{begin, end, std::move(text)};
  }

  Lines lines_;
  const schema::YamlDocument& document_;
  schema::JsonIndex index_;
};

bool IsJson(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// The new `want` of each holder; nullopt where the current one holds.
std::vector<std::optional<std::string>> NewWants(const Scenario& scenario) {
  std::vector<std::optional<std::string>> wants;
  std::vector<Outcome> outcomes = Play(scenario);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const std::optional<Outcome>& want = scenario.steps[i].want;
    if (want && Differences(*want, outcomes[i]).empty()) {
      wants.emplace_back();
    } else {
      wants.push_back(schema::Encode(Asked(want, std::move(outcomes[i]))));
    }
  }
  return wants;
}

}  // namespace

base::Result<std::string> UpdateScenario(std::string_view text, const std::string& file) {
  const ScenarioResult scenario = ReadScenario(text, file);
  if (!scenario) {
    const schema::Problem& problem = scenario.error().front();
    return std::unexpected(base::Error{problem.message, problem.hint, problem.place});
  }
  const std::vector<std::optional<std::string>> wants = NewWants(*scenario);
  std::vector<Edit> edits;
  if (IsJson(text)) {
    schema::JsonIndex index;
    index.Build(text);
    const std::vector<size_t> holders = Holders(index);
    for (size_t i = 0; i < wants.size(); ++i) {
      if (wants[i]) edits.push_back(EditJson(text, index, holders[i], *wants[i]));
    }
    return Apply(text, std::move(edits));
  }
  const base::Result<std::vector<schema::YamlDocument>> documents =
      schema::YamlToJson(text, {.file = file});
  CHECK(documents && documents->size() == 1);  // was parsed before
  const YamlEditor editor(text, documents->front());
  const std::vector<size_t> holders = Holders(editor.index());
  for (size_t i = 0; i < wants.size(); ++i) {
    if (!wants[i]) continue;
    base::Result<Edit> edit = editor.EditHolder(holders[i], *wants[i]);
    if (!edit) {
      edit.error().place.file = file;
      return std::unexpected(std::move(edit.error()));
    }
    edits.push_back(*std::move(edit));
  }
  return Apply(text, std::move(edits));
}

}  // namespace berth::scenario
