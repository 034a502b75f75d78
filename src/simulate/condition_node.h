#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "simulate/condition.h"

namespace berth::simulate {

// A node of the syntax tree of a condition.
struct Condition::Node {
  enum class Kind : uint8_t { kNumber, kBase, kFigure, kOperator };
  Kind kind = Kind::kNumber;
  double number = 0;
  char sign = 0;  // of operators: + - * /
  std::vector<std::shared_ptr<const Node>> parts;
  std::string name;  // of figures
  // Key and value; `wait` has no value.
  std::vector<std::pair<std::string, std::string>> arguments;
};

// The error in a figure or its arguments; "" if there is none.
std::string ProblemWith(const Condition::Node& figure);
std::string HintFor(const Condition::Node& figure);

// The value of a figure in a world. Fails if an argument selects an unknown queue or class.
base::Result<double> FigureOf(const Condition::Node& figure, const Report& world);

}  // namespace berth::simulate
