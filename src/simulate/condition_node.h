#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "simulate/condition.h"

namespace berth::simulate {

// A part of a condition's text.
struct Condition::Node {
  enum class Kind : uint8_t { kNumber, kBase, kFigure, kOperator };
  Kind kind = Kind::kNumber;
  double number = 0;
  char sign = 0;  // of operators: + - * /
  std::vector<std::shared_ptr<const Node>> parts;
  std::string name;  // of figures
  // "queue" and its value; what stands alone, as `wait`, has none.
  std::vector<std::pair<std::string, std::string>> arguments;
};

// Why there is no such figure, or it has no such arguments; "" if all is well.
std::string ProblemWith(const Condition::Node& figure);
std::string HintFor(const Condition::Node& figure);

// What the figure is in a world. Fails if it selects something that is not there.
base::Result<double> FigureOf(const Condition::Node& figure, const Report& world);

}  // namespace berth::simulate
