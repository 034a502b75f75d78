#include "simulate/condition.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "api/meta/problem_report.h"
#include "base/suggest.h"
#include "simulate/condition_node.h"

namespace berth::simulate {
namespace {

using Node = Condition::Node;
using NodePointer = std::shared_ptr<const Node>;

bool IsWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/';
}

// Recursive descent parser. Stops at the first error.
class ConditionParser {
 public:
  explicit ConditionParser(std::string_view text) : text_(text) {}

  base::Result<NodePointer> ParseSide() {
    NodePointer sum = ParseSum();
    if (!error_.empty()) return base::Fail("--fail-if: " + error_ + Position(), hint_);
    return sum;
  }
  std::string ReadComparison() {
    SkipSpaces();
    for (const std::string_view sign : {">=", "<=", "==", "!=", ">", "<"}) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      at_ += sign.size();
      return std::string(sign);
    }
    return {};
  }
  bool IsAtEnd() {
    SkipSpaces();
    return at_ == text_.size();
  }
  std::string Position() const {
    return " at " + (at_ < text_.size() ? api::Quoted(text_.substr(at_)) : "the end") + " of " +
           api::Quoted(text_);
  }

 private:
  static constexpr int kMaxDepth = 50;

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char c) {
    SkipSpaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  NodePointer Fail(std::string message, std::string hint = {}) {
    if (error_.empty()) {
      error_ = std::move(message);
      hint_ = std::move(hint);
    }
    return std::make_shared<Node>();
  }

  NodePointer Combine(char sign, NodePointer a, NodePointer b) {
    return std::make_shared<Node>(
        Node{.kind = Node::Kind::kOperator, .sign = sign, .parts = {std::move(a), std::move(b)}});
  }
  NodePointer ParseSum() {
    NodePointer sum = ParseProduct();
    while (error_.empty()) {
      if (Take('+')) {
        sum = Combine('+', std::move(sum), ParseProduct());
      } else if (Take('-')) {
        sum = Combine('-', std::move(sum), ParseProduct());
      } else {
        break;
      }
    }
    return sum;
  }
  NodePointer ParseProduct() {
    NodePointer product = ParseAtom();
    while (error_.empty()) {
      if (Take('*')) {
        product = Combine('*', std::move(product), ParseAtom());
      } else if (Take('/')) {
        product = Combine('/', std::move(product), ParseAtom());
      } else {
        break;
      }
    }
    return product;
  }

  NodePointer ParseAtom() {
    if (++depth_ > kMaxDepth) return Fail("too many parentheses");
    SkipSpaces();
    NodePointer atom;
    if (Take('(')) {
      atom = ParseSum();
      if (error_.empty() && !Take(')')) return Fail("a parenthesis is not closed");
    } else if (at_ < text_.size() &&
               ((text_[at_] >= '0' && text_[at_] <= '9') || text_[at_] == '.')) {
      atom = ParseNumber();
    } else {
      atom = ParseFigure();
    }
    --depth_;
    return atom;
  }

  NodePointer ParseNumber() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsNumberPart(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size()) {
      if (Take('%')) number /= 100;
    } else if (const auto length = base::ParseDuration(word)) {
      number = length->seconds();
    } else {
      at_ = begin;
      return Fail("there is not a number", "write 1.2, 60%, 90s or 1h30m");
    }
    return std::make_shared<Node>(Node{.kind = Node::Kind::kNumber, .number = number});
  }
  static bool IsNumberPart(char c) {
    return (c >= '0' && c <= '9') || c == '.' || (c >= 'a' && c <= 'z');
  }

  std::string ReadWord() {
    SkipSpaces();
    const size_t begin = at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  NodePointer ParseFigure() {
    const size_t begin = at_;
    const std::string name = ReadWord();
    if (name.empty()) return Fail("there is no figure", kFigureHint);
    if (name == "base") return std::make_shared<Node>(Node{.kind = Node::Kind::kBase});
    if (!Take('(')) {
      at_ = begin;
      return Fail("there is no figure", kFigureHint);
    }
    Node node{.kind = Node::Kind::kFigure, .name = name};
    while (error_.empty() && !Take(')')) {
      if (!node.arguments.empty() && !Take(',')) return Fail("a comma or ) is missing");
      std::string key = ReadWord();
      std::string value = Take('=') ? ReadWord() : std::string();
      if (key.empty()) return Fail("an argument is missing");
      node.arguments.emplace_back(std::move(key), std::move(value));
    }
    if (std::string problem = ProblemWith(node); !problem.empty()) {
      at_ = begin;
      return Fail(std::move(problem), HintFor(node));
    }
    return std::make_shared<Node>(std::move(node));
  }
  static constexpr const char* kFigureHint =
      "write for example p90(wait, queue=a) > 1.2 * base; `berth simulate --help` has all figures";

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string error_;
  std::string hint_;
};

bool IsBaseIn(const Node& node) {
  if (node.kind == Node::Kind::kBase) return true;
  return std::ranges::any_of(node.parts, [](const NodePointer& part) { return IsBaseIn(*part); });
}

// Evaluates one side in one world. `base`: the value of `base`.
base::Result<double> ValueOf(const Node& node, const Report& world, double base) {
  switch (node.kind) {
    case Node::Kind::kNumber:
      return node.number;
    case Node::Kind::kBase:
      return base;
    case Node::Kind::kFigure:
      return FigureOf(node, world);
    case Node::Kind::kOperator:
      break;
  }
  const base::Result<double> a = ValueOf(*node.parts[0], world, base);
  if (!a) return a;
  const base::Result<double> b = ValueOf(*node.parts[1], world, base);
  if (!b) return b;
  switch (node.sign) {
    case '+':
      return *a + *b;
    case '-':
      return *a - *b;
    case '*':
      return *a * *b;
    default:
      return *b == 0 ? 0 : *a / *b;
  }
}

bool HoldsFor(const std::string& comparison, double left, double right) {
  if (comparison == ">") return left > right;
  if (comparison == ">=") return left >= right;
  if (comparison == "<") return left < right;
  if (comparison == "<=") return left <= right;
  return (left == right) == (comparison == "==");
}

}  // namespace

base::Result<Condition> Condition::Parse(std::string_view text) {
  Condition condition;
  condition.text_ = text;
  ConditionParser parser(text);
  base::Result<NodePointer> left = parser.ParseSide();
  if (!left) return std::unexpected(left.error());
  condition.comparison_ = parser.ReadComparison();
  if (condition.comparison_.empty())
    return base::Fail("--fail-if: comparison missing" + parser.Position(),
                      "put one of > >= < <= == != between two figures");
  base::Result<NodePointer> right = parser.ParseSide();
  if (!right) return std::unexpected(right.error());
  if (!parser.IsAtEnd())
    return base::Fail("--fail-if: there is more than a comparison" + parser.Position());
  if (IsBaseIn(**left) && IsBaseIn(**right))
    return base::Fail("--fail-if: base stands on both sides of " + api::Quoted(text),
                      "it means the other side in the world before the change");
  condition.left_ = std::move(*left);
  condition.right_ = std::move(*right);
  return condition;
}

base::Result<Condition::Verdict> Condition::Evaluate(const Report& world,
                                                     const Report* base) const {
  const bool is_base_left = IsBaseIn(*left_), is_base_right = IsBaseIn(*right_);
  double base_value = 0;
  if (is_base_left || is_base_right) {
    if (base == nullptr)
      return base::Fail("--fail-if " + api::Quoted(text_) + " names base, but nothing is changed",
                        "give the change with --change FILE");
    const base::Result<double> value = ValueOf(is_base_left ? *right_ : *left_, *base, 0);
    if (!value) return std::unexpected(value.error());
    base_value = *value;
  }
  const base::Result<double> left = ValueOf(*left_, world, base_value);
  if (!left) return std::unexpected(left.error());
  const base::Result<double> right = ValueOf(*right_, world, base_value);
  if (!right) return std::unexpected(right.error());
  return Verdict{.holds = HoldsFor(comparison_, *left, *right), .left = *left, .right = *right};
}

}  // namespace berth::simulate
