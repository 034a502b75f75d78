#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/random.h"
#include "base/time.h"

namespace berth::simulate {

// A distribution of durations, such as run times. The same generator gives the same values on every
// machine.
class Distribution {
 public:
  // A constant.
  static Distribution Fixed(base::Duration length);

  // Syntax:
  //   30m                            constant
  //   uniform(10m, 2h)               between the bounds
  //   exponential(30m)               mean
  //   lognormal(30m, 2h)             median and 90th percentile
  static base::Result<Distribution> Parse(std::string_view text);

  base::Duration Draw(base::Random& random) const;
  // A value above `least`, the time that has passed already.
  base::Duration DrawBeyond(base::Duration least, base::Random& random) const;
  bool is_fixed() const { return shape_ == Shape::kFixed; }

 private:
  enum class Shape : uint8_t { kFixed, kUniform, kExponential, kLogNormal };
  Distribution(Shape shape, double a, double b) : shape_(shape), a_(a), b_(b) {}

  Shape shape_;
  double a_;  // seconds: constant, lower bound, mean or median
  double b_;  // seconds: upper bound; lognormal: deviation of the logarithm
};

// A lognormal factor with median 1 and a deviation of about `spread` (0.3 is 30 %).
double DrawFactor(double spread, base::Random& random);

// The generator of a job for one purpose. Independent of other draws, so that a job has the same
// run time in every world.
base::Random RandomFor(uint64_t seed, uint64_t job, uint64_t purpose);

}  // namespace berth::simulate
