#include "apiserver/structural_pattern.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

namespace berth::apiserver {
namespace {

using Op = StructuralPattern::Op;
using Range = StructuralPattern::Range;
using Step = StructuralPattern::Step;

constexpr size_t kMaxSteps = 50'000;
constexpr int kMaxRepeat = 1000;
constexpr int kMaxDepth = 200;
constexpr char kUnsupportedHint[] = "the pattern may be right, but Berth does not check it";
constexpr uint32_t kLastCharacter = 0x10ffff;

// UTF-8 to characters; a byte that is no UTF-8 stands for itself.
std::vector<uint32_t> Decode(std::string_view text) {
  std::vector<uint32_t> out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 1 || lead < 0xc0 || i + length > text.size()) {
      out.push_back(lead);
      ++i;
      continue;
    }
    uint32_t character = lead & (0xffu >> (length + 1));
    for (size_t k = 1; k < length; ++k) {
      character = character << 6 | (static_cast<uint8_t>(text[i + k]) & 0x3fu);
    }
    out.push_back(character);
    i += length;
  }
  return out;
}

bool IsWord(uint32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Set {
  std::vector<Range> ranges;
  bool is_negated = false;
};

std::optional<std::vector<Range>> NamedClass(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
      {"alpha", "azAZ"},     {"digit", "09"},      {"alnum", "azAZ09"}, {"upper", "AZ"},
      {"lower", "az"},       {"word", "azAZ09__"}, {"space", "\t\r  "}, {"xdigit", "afAF09"},
      {"punct", "!/:@[`{~"}, {"blank", "  \t\t"},  {"print", " ~"},     {"graph", "!~"},
  };
  for (const auto& [class_name, pairs] : kClasses) {
    if (class_name != name) continue;
    std::vector<Range> ranges;
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
      ranges.push_back({static_cast<uint8_t>(pairs[i]), static_cast<uint8_t>(pairs[i + 1])});
    }
    return ranges;
  }
  return std::nullopt;
}

std::vector<Range> Inverse(std::vector<Range> ranges) {
  std::ranges::sort(ranges, {}, &Range::first);
  std::vector<Range> out;
  uint32_t next = 0;
  for (const Range& range : ranges) {
    if (range.first > next) out.push_back({next, range.first - 1});
    next = std::max(next, range.last + 1);
  }
  if (next <= kLastCharacter) out.push_back({next, kLastCharacter});
  return out;
}

// \d and its like; nullopt for other letters.
std::optional<std::vector<Range>> PerlClass(uint32_t letter) {
  switch (letter) {
    case 'd':
      return NamedClass("digit");
    case 'w':
      return NamedClass("word");
    case 's':
      return std::vector<Range>{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
    case 'D':
    case 'W':
    case 'S':
      return Inverse(*PerlClass(letter - 'A' + 'a'));
    default:
      return std::nullopt;
  }
}

// A part of an expression.
struct Part {
  enum class Kind { kSet, kSequence, kChoice, kRepeat, kAssertion };
  Kind kind = Kind::kSequence;
  Set set = {};
  std::vector<Part> parts = {};
  int least = 0;
  int most = 0;  // -1: any number
  Op assertion = Op::kBegin;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(Decode(text)) {}

  base::Result<Part> Parse() {
    if (Starts("(?i)")) {
      at_ += 4;
      ignores_case_ = true;
    }
    Part whole = ParseChoice(0);
    if (error_.empty() && at_ < text_.size()) error_ = "there is an unexpected )";
    if (!error_.empty()) return base::Fail(error_, is_unsupported_ ? kUnsupportedHint : "");
    return whole;
  }

 private:
  bool AtEnd() const { return at_ >= text_.size() || !error_.empty(); }
  uint32_t Peek() const { return at_ < text_.size() ? text_[at_] : 0; }
  bool Starts(std::string_view prefix) const {
    return text_.size() - at_ >= prefix.size() &&
           std::equal(prefix.begin(), prefix.end(), text_.begin() + static_cast<int64_t>(at_),
                      [](char a, uint32_t b) { return static_cast<uint8_t>(a) == b; });
  }
  bool Take(uint32_t c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Part Fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return {};
  }

  Part Unsupported(std::string message) {
    is_unsupported_ |= error_.empty();
    return Fail(std::move(message));
  }

  Part ParseChoice(int depth) {
    if (depth > kMaxDepth) return Fail("groups nest too deep");
    Part choice{.kind = Part::Kind::kChoice};
    choice.parts.push_back(ParseSequence(depth));
    while (!AtEnd() && Take('|')) choice.parts.push_back(ParseSequence(depth));
    return choice.parts.size() == 1 ? std::move(choice.parts.front()) : choice;
  }

  Part ParseSequence(int depth) {
    Part sequence{.kind = Part::Kind::kSequence};
    while (!AtEnd() && Peek() != '|' && Peek() != ')') {
      sequence.parts.push_back(ParseRepeat(ParseAtom(depth)));
    }
    return sequence;
  }

  Part ParseRepeat(Part atom) {
    int least = 0;
    int most = -1;
    if (AtEnd()) return atom;
    if (Take('*')) {
    } else if (Take('+')) {
      least = 1;
    } else if (Take('?')) {
      most = 1;
    } else if (!ParseCounts(least, most)) {
      return atom;
    }
    Take('?');  // lazy: what matches is the same
    if (!AtEnd() && (Peek() == '*' || Peek() == '+' || Peek() == '?')) {
      return Fail("a repetition follows a repetition");
    }
    if (least > kMaxRepeat || most > kMaxRepeat || (most >= 0 && most < least)) {
      return Fail("a repetition has bad counts");
    }
    Part repeat{.kind = Part::Kind::kRepeat, .least = least, .most = most};
    repeat.parts.push_back(std::move(atom));
    return repeat;
  }

  // {m}, {m,} or {m,n}; anything else is plain characters.
  bool ParseCounts(int& least, int& most) {
    const size_t start = at_;
    if (Take('{') && ParseNumber(least)) {
      most = least;
      if (Take(',') && !ParseNumber(most)) most = -1;
      if (Take('}')) return true;
    }
    at_ = start;
    least = 0;
    most = -1;
    return false;
  }

  bool ParseNumber(int& number) {
    if (Peek() < '0' || Peek() > '9') return false;
    number = 0;
    while (Peek() >= '0' && Peek() <= '9') {
      number = std::min(number * 10 + static_cast<int>(Peek() - '0'), kMaxRepeat + 1);
      ++at_;
    }
    return true;
  }

  Part ParseAtom(int depth) {
    const uint32_t c = text_[at_++];
    switch (c) {
      case '^':
        return Assertion(Op::kBegin);
      case '$':
        return Assertion(Op::kEnd);
      case '.':
        return SetPart({.ranges = {{'\n', '\n'}}, .is_negated = true});
      case '[':
        return ParseClass();
      case '(':
        return ParseGroup(depth);
      case '\\':
        return ParseEscape();
      case '*':
      case '+':
      case '?':
        return Fail("nothing is there to repeat");
      default:
        return Character(c);
    }
  }

  Part ParseGroup(int depth) {
    if (Take('?')) {
      if (Starts("P<") || Starts("<")) {
        while (!AtEnd() && !Take('>')) ++at_;
      } else if (!Take(':')) {
        return Unsupported("this kind of group is not supported");
      }
    }
    Part inner = ParseChoice(depth + 1);
    if (!Take(')')) return Fail("a group has no end");
    return inner;
  }

  static Part Assertion(Op op) { return {.kind = Part::Kind::kAssertion, .assertion = op}; }

  Part SetPart(Set set) const {
    if (ignores_case_) AddOtherCase(set.ranges);
    return {.kind = Part::Kind::kSet, .set = std::move(set)};
  }

  Part Character(uint32_t c) const { return SetPart({.ranges = {{c, c}}}); }

  static void AddOtherCase(std::vector<Range>& ranges) {
    const size_t count = ranges.size();
    for (size_t i = 0; i < count; ++i) {
      const Range range = ranges[i];
      const auto add = [&](uint32_t low, uint32_t high, int shift) {
        const uint32_t first = std::max(range.first, low);
        const uint32_t last = std::min(range.last, high);
        if (first > last) return;
        const auto offset = static_cast<uint32_t>(shift);
        ranges.push_back({first + offset, last + offset});
      };
      add('a', 'z', 'A' - 'a');
      add('A', 'Z', 'a' - 'A');
    }
  }

  Part ParseEscape() {
    if (AtEnd()) return Fail("it ends with a backslash");
    const uint32_t c = Peek();
    if (const auto ranges = PerlClass(c)) {
      ++at_;
      return SetPart({.ranges = *ranges});
    }
    constexpr std::pair<char, Op> kAssertions[] = {
        {'A', Op::kBegin}, {'z', Op::kEnd}, {'b', Op::kWordBoundary}, {'B', Op::kNoWordBoundary}};
    for (const auto& [letter, op] : kAssertions) {
      if (Take(static_cast<uint8_t>(letter))) return Assertion(op);
    }
    const auto character = ParseEscapedCharacter();
    return character ? Character(*character) : Part{};
  }

  // After the backslash.
  std::optional<uint32_t> ParseEscapedCharacter() {
    if (AtEnd()) {
      Fail("it ends with a backslash");
      return std::nullopt;
    }
    const uint32_t c = text_[at_++];
    constexpr std::pair<char, char> kControls[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'},
                                                   {'f', '\f'}, {'v', '\v'}, {'a', '\a'}};
    for (const auto& [letter, control] : kControls) {
      if (c == static_cast<uint8_t>(letter)) return static_cast<uint8_t>(control);
    }
    if (c == 'x') return ParseHex();
    if (c < 0x80 && !IsWord(c)) return c;
    Unsupported("this escape is not supported");
    return std::nullopt;
  }

  std::optional<uint32_t> ParseHex() {
    std::string digits;
    if (Take('{')) {
      while (!AtEnd() && Peek() != '}' && digits.size() < 8)
        digits += static_cast<char>(text_[at_++]);
      if (!Take('}')) Fail("\\x{ has no end");
    } else {
      while (!AtEnd() && digits.size() < 2) digits += static_cast<char>(text_[at_++]);
    }
    uint32_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.empty() || read.ec != std::errc() || read.ptr != digits.data() + digits.size() ||
        value > kLastCharacter) {
      Fail("\\x needs a number");
      return std::nullopt;
    }
    return value;
  }

  Part ParseClass() {
    Set set{.is_negated = Take('^')};
    bool is_first = true;
    while (true) {
      if (AtEnd()) return Fail("a class has no end");
      if (!is_first && Take(']')) return SetPart(std::move(set));
      is_first = false;
      if (!ParseClassItem(set.ranges)) return {};
    }
  }

  bool ParseClassItem(std::vector<Range>& ranges) {
    if (Starts("[:")) return ParseNamedClass(ranges);
    if (Peek() == '\\' && at_ + 1 < text_.size()) {
      if (const auto perl = PerlClass(text_[at_ + 1])) {
        at_ += 2;
        ranges.insert(ranges.end(), perl->begin(), perl->end());
        return true;
      }
    }
    const auto first = ParseClassCharacter();
    if (!first) return false;
    uint32_t last = *first;
    if (Peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
      ++at_;
      const auto end = ParseClassCharacter();
      if (!end) return false;
      last = *end;
    }
    if (last < *first) {
      Fail("a class has a range from high to low");
      return false;
    }
    ranges.push_back({*first, last});
    return true;
  }

  std::optional<uint32_t> ParseClassCharacter() {
    if (AtEnd()) {
      Fail("a class has no end");
      return std::nullopt;
    }
    if (!Take('\\')) return text_[at_++];
    return ParseEscapedCharacter();
  }

  bool ParseNamedClass(std::vector<Range>& ranges) {
    at_ += 2;
    const bool is_negated = Take('^');
    std::string name;
    while (!AtEnd() && Peek() != ':') name += static_cast<char>(text_[at_++]);
    const auto found = NamedClass(name);
    if (!found || !Take(':') || !Take(']')) {
      Fail("there is no class [:" + name + ":]");
      return false;
    }
    const auto all = is_negated ? Inverse(*found) : *found;
    ranges.insert(ranges.end(), all.begin(), all.end());
    return true;
  }

  std::vector<uint32_t> text_;
  size_t at_ = 0;
  bool ignores_case_ = false;
  std::string error_;
  bool is_unsupported_ = false;
};

// Turns parts into steps.
class Builder {
 public:
  void Add(const Part& part) {
    if (steps_.size() > kMaxSteps) return;
    switch (part.kind) {
      case Part::Kind::kSet:
        Push({.op = Op::kCharacter, .is_negated = part.set.is_negated, .ranges = part.set.ranges});
        return;
      case Part::Kind::kAssertion:
        Push({.op = part.assertion});
        return;
      case Part::Kind::kSequence:
        for (const Part& inner : part.parts) Add(inner);
        return;
      case Part::Kind::kChoice:
        AddChoice(part);
        return;
      case Part::Kind::kRepeat:
        AddRepeat(part);
        return;
    }
  }

  bool IsTooLarge() const { return steps_.size() > kMaxSteps; }
  std::vector<Step> Take() {
    Push({.op = Op::kMatch});
    return std::move(steps_);
  }

 private:
  uint32_t Here() const { return static_cast<uint32_t>(steps_.size()); }
  uint32_t Push(Step step) {
    steps_.push_back(std::move(step));
    return Here() - 1;
  }

  void AddChoice(const Part& part) {
    std::vector<uint32_t> ends;
    for (size_t i = 0; i < part.parts.size(); ++i) {
      const bool is_last = i + 1 == part.parts.size();
      const uint32_t split = is_last ? 0 : Push({.op = Op::kSplit});
      if (!is_last) steps_[split].target = Here();
      Add(part.parts[i]);
      if (!is_last) {
        ends.push_back(Push({.op = Op::kJump}));
        steps_[split].other = Here();
      }
    }
    for (const uint32_t end : ends) steps_[end].target = Here();
  }

  void AddRepeat(const Part& part) {
    const Part& inner = part.parts.front();
    for (int i = 0; i < part.least; ++i) Add(inner);
    if (part.most < 0) {
      const uint32_t split = Push({.op = Op::kSplit});
      steps_[split].target = Here();
      Add(inner);
      Push({.op = Op::kJump, .target = split});
      steps_[split].other = Here();
      return;
    }
    std::vector<uint32_t> splits;
    for (int i = part.least; i < part.most && !IsTooLarge(); ++i) {
      splits.push_back(Push({.op = Op::kSplit}));
      steps_[splits.back()].target = Here();
      Add(inner);
    }
    for (const uint32_t split : splits) steps_[split].other = Here();
  }

  std::vector<Step> steps_;
};

bool HasCharacter(const Step& step, uint32_t c) {
  const bool is_in = std::ranges::any_of(
      step.ranges, [c](const Range& range) { return range.first <= c && c <= range.last; });
  return is_in != step.is_negated;
}

// All the places in the steps where a match can be, as the text is gone through once.
class Matching {
 public:
  Matching(const std::vector<Step>& steps, const std::vector<uint32_t>& text)
      : steps_(steps), text_(text), seen_(steps.size(), 0) {}

  bool Run() {
    std::vector<uint32_t> current;
    for (size_t at = 0;; ++at) {
      ++round_;
      for (const uint32_t place : pending_) Follow(place, at, current);
      if (Follow(0, at, current)) return true;
      if (is_match_) return true;
      if (at == text_.size()) return false;
      pending_.clear();
      for (const uint32_t place : current) {
        if (HasCharacter(steps_[place], text_[at])) pending_.push_back(place + 1);
      }
      current.clear();
    }
  }

 private:
  // Gathers the characters that can come next. Not by recursion: patterns can be long.
  bool Follow(uint32_t start, size_t at, std::vector<uint32_t>& out) {
    stack_.push_back(start);
    while (!stack_.empty()) {
      const uint32_t place = stack_.back();
      stack_.pop_back();
      if (seen_[place] == round_) continue;
      seen_[place] = round_;
      const Step& step = steps_[place];
      if (step.op == Op::kMatch) is_match_ = true;
      if (step.op == Op::kCharacter) out.push_back(place);
      if (step.op == Op::kJump || step.op == Op::kSplit) stack_.push_back(step.target);
      if (step.op == Op::kSplit) stack_.push_back(step.other);
      if (Holds(step.op, at)) stack_.push_back(place + 1);
    }
    return is_match_;
  }

  bool Holds(Op op, size_t at) const {
    const bool is_boundary =
        (at > 0 && IsWord(text_[at - 1])) != (at < text_.size() && IsWord(text_[at]));
    switch (op) {
      case Op::kBegin:
        return at == 0;
      case Op::kEnd:
        return at == text_.size();
      case Op::kWordBoundary:
        return is_boundary;
      case Op::kNoWordBoundary:
        return !is_boundary;
      default:
        return false;
    }
  }

  const std::vector<Step>& steps_;
  const std::vector<uint32_t>& text_;
  std::vector<size_t> seen_;
  size_t round_ = 0;
  std::vector<uint32_t> pending_;
  std::vector<uint32_t> stack_;
  bool is_match_ = false;
};

}  // namespace

base::Result<StructuralPattern> StructuralPattern::Compile(std::string_view text) {
  const auto part = Parser(text).Parse();
  if (!part) return std::unexpected(part.error());
  Builder builder;
  builder.Add(*part);
  if (builder.IsTooLarge()) return base::Fail("the pattern is too large", kUnsupportedHint);
  return StructuralPattern(builder.Take());
}

bool StructuralPattern::Matches(std::string_view text) const {
  const std::vector<uint32_t> characters = Decode(text);
  return Matching(steps_, characters).Run();
}

}  // namespace berth::apiserver
