#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/random.h"
#include "base/time.h"

namespace berth::simulate {

// Lengths of time by chance: how long jobs run, how long pods take to become ready. The same
// generator gives the same lengths on every machine.
class Distribution {
 public:
  // Always the same length.
  static Distribution Fixed(base::Duration length);

  // What a user writes:
  //   30m                            always that
  //   uniform(10m, 2h)               anything between the two
  //   exponential(30m)               with that mean
  //   lognormal(30m, 2h)             half are below the first, nine of ten below the second
  static base::Result<Distribution> Parse(std::string_view text);

  base::Duration Draw(base::Random& random) const;
  // One that is longer than `least`, which is how long it has taken already.
  base::Duration DrawBeyond(base::Duration least, base::Random& random) const;
  bool is_fixed() const { return shape_ == Shape::kFixed; }

 private:
  enum class Shape : uint8_t { kFixed, kUniform, kExponential, kLogNormal };
  Distribution(Shape shape, double a, double b) : shape_(shape), a_(a), b_(b) {}

  Shape shape_;
  double a_;  // seconds: the length, lower end, mean or median
  double b_;  // seconds: the upper end; of the logarithm, its deviation
};

// A factor around 1: half are below, and about two of three within `spread` (0.3 is 30 %) of it.
double DrawFactor(double spread, base::Random& random);

// A generator of its own for each job and purpose, whatever else is drawn: so that a job runs as
// long in one world as in another.
base::Random RandomFor(uint64_t seed, uint64_t job, uint64_t purpose);

}  // namespace berth::simulate
