#include "simulate/trace/distribution.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "api/meta/problem_report.h"
#include "base/hash_index.h"

namespace berth::simulate {
namespace {

constexpr double kLongest = 100.0 * 365 * 86400;  // a century, in seconds

// Uniform in (0, 1).
double DrawFraction(base::Random& random) {
  return (static_cast<double>(random.Next() >> 11) + 0.5) * 0x1.0p-53;
}

double DrawNormal(base::Random& random) {
  const double radius = std::sqrt(-2 * std::log(DrawFraction(random)));
  return radius * std::cos(2 * std::numbers::pi * DrawFraction(random));
}

base::Duration FromSeconds(double seconds) {
  const double micros = std::round(std::clamp(seconds, 0.0, kLongest) * 1e6);
  return {static_cast<int64_t>(micros) * 1000};
}

std::unexpected<base::Error> NoDistribution(std::string_view text) {
  return base::Fail(api::Quoted(text) + " is not a duration",
                    "write 30m, uniform(10m, 2h), exponential(30m) or lognormal(30m, 2h), where "
                    "half are below the first and nine of ten below the second");
}

std::string_view TrimSpaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Durations separated by commas, in seconds; empty if one is invalid.
std::vector<double> ParseLengths(std::string_view text) {
  std::vector<double> lengths;
  while (true) {
    const size_t comma = text.find(',');
    const auto length = base::ParseDuration(TrimSpaces(text.substr(0, comma)));
    if (!length || length->nanos < 0 || length->seconds() > kLongest) return {};
    lengths.push_back(length->seconds());
    if (comma == std::string_view::npos) return lengths;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

Distribution Distribution::Fixed(base::Duration length) {
  return {Shape::kFixed, length.seconds(), 0};
}

base::Result<Distribution> Distribution::Parse(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos) {
    const std::vector<double> lengths = ParseLengths(text);
    if (lengths.size() != 1) return NoDistribution(text);
    return Distribution(Shape::kFixed, lengths[0], 0);
  }
  if (!text.ends_with(')')) return NoDistribution(text);
  const std::string_view name = TrimSpaces(text.substr(0, open));
  const std::vector<double> lengths = ParseLengths(text.substr(open + 1, text.size() - open - 2));
  if (name == "exponential" && lengths.size() == 1)
    return Distribution(Shape::kExponential, lengths[0], 0);
  if (lengths.size() != 2 || lengths[0] > lengths[1]) return NoDistribution(text);
  if (name == "uniform") return Distribution(Shape::kUniform, lengths[0], lengths[1]);
  if (name != "lognormal" || lengths[0] <= 0) return NoDistribution(text);
  constexpr double kNineOfTen = 1.2815515655446004;  // z-score of the 90th percentile
  return Distribution(Shape::kLogNormal, lengths[0],
                      std::log(lengths[1] / lengths[0]) / kNineOfTen);
}

base::Duration Distribution::Draw(base::Random& random) const {
  switch (shape_) {
    case Shape::kFixed:
      return FromSeconds(a_);
    case Shape::kUniform:
      return FromSeconds(a_ + (b_ - a_) * DrawFraction(random));
    case Shape::kExponential:
      return FromSeconds(-a_ * std::log(DrawFraction(random)));
    case Shape::kLogNormal:
      return FromSeconds(a_ * std::exp(b_ * DrawNormal(random)));
  }
  return {};
}

base::Duration Distribution::DrawBeyond(base::Duration least, base::Random& random) const {
  constexpr int kMaxTries = 200;
  for (int i = 0; i < kMaxTries && !is_fixed(); ++i) {
    const base::Duration length = Draw(random);
    if (length > least) return length;
  }
  return std::max(FromSeconds(a_), least);
}

double DrawFactor(double spread, base::Random& random) {
  if (spread <= 0) return 1;
  return std::exp(std::log1p(spread) * DrawNormal(random));
}

base::Random RandomFor(uint64_t seed, uint64_t job, uint64_t purpose) {
  return base::Random(base::MixHash(base::MixHash(seed, job), purpose));
}

}  // namespace berth::simulate
