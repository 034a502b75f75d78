#include "api/kueue/topology_assignment.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace berth::api {

using schema::Member;
using schema::Must;
using std::literals::operator""sv;

namespace {

using Domains = std::span<const TopologyDomain>;

std::string_view ValueAt(const TopologyDomain& domain, size_t level) {
  return level < domain.values.size() ? std::string_view(domain.values[level]) : std::string_view();
}

size_t CommonPrefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

size_t CommonSuffix(std::string_view a, std::string_view b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[a.size() - 1 - n] == b[b.size() - 1 - n]) ++n;
  return n;
}

// Lengths of the common prefix and suffix of all values. The two never overlap.
struct Affixes {
  size_t prefix = 0;
  size_t suffix = 0;
  bool are_all = true;  // all values are equal
};

Affixes SharedAffixes(Domains domains, size_t level) {
  const std::string_view first = ValueAt(domains.front(), level);
  Affixes shared{.prefix = first.size(), .suffix = first.size()};
  size_t shortest = first.size();
  for (const TopologyDomain& domain : domains.subspan(1)) {
    const std::string_view value = ValueAt(domain, level);
    shared.are_all = shared.are_all && value == first;
    shared.prefix = std::min(shared.prefix, CommonPrefix(first, value));
    shared.suffix = std::min(shared.suffix, CommonSuffix(first, value));
    shortest = std::min(shortest, value.size());
  }
  shared.prefix = std::min(shared.prefix, shortest - std::min(shortest, shared.suffix));
  return shared;
}

LevelValues PackLevel(Domains domains, size_t level) {
  const std::string first(ValueAt(domains.front(), level));
  const Affixes shared = SharedAffixes(domains, level);
  if (shared.are_all) return {.universal = first};
  IndividualLevelValues values;
  if (shared.prefix > 0) values.prefix = first.substr(0, shared.prefix);
  if (shared.suffix > 0) values.suffix = first.substr(first.size() - shared.suffix);
  for (const TopologyDomain& domain : domains) {
    const std::string_view value = ValueAt(domain, level);
    const size_t length = value.size() - shared.prefix - shared.suffix;
    values.roots.emplace_back(value.substr(shared.prefix, length));
  }
  return {.individual = std::move(values)};
}

DomainPodCounts PackCounts(Domains domains) {
  const int32_t first = domains.front().count;
  if (std::ranges::all_of(domains, [&](const TopologyDomain& d) { return d.count == first; }))
    return {.universal = first};
  std::vector<int32_t> counts;
  for (const TopologyDomain& domain : domains) counts.push_back(domain.count);
  return {.individual = std::move(counts)};
}

TopologyAssignmentSlice PackSlice(Domains domains, size_t level_count) {
  TopologyAssignmentSlice slice{.domain_count = static_cast<int32_t>(domains.size()),
                                .pod_counts = PackCounts(domains)};
  for (size_t level = 0; level < level_count; ++level)
    slice.values_per_level.push_back(PackLevel(domains, level));
  return slice;
}

size_t Digits(size_t number) { return std::to_string(number).size(); }

// The length of a slice of one level as JSON, while domains are appended to it.
class SliceLength {
 public:
  explicit SliceLength(const TopologyDomain& first)
      : first_(ValueAt(first, 0)), count_(first.count) {
    prefix_ = suffix_ = shortest_ = first_.size();
    Add(first);
  }

  void Add(const TopologyDomain& domain) {
    const std::string_view value = ValueAt(domain, 0);
    ++size_;
    values_ += value.size();
    counts_ += Digits(static_cast<size_t>(domain.count));
    prefix_ = std::min(prefix_, CommonPrefix(first_, value));
    suffix_ = std::min(suffix_, CommonSuffix(first_, value));
    shortest_ = std::min(shortest_, value.size());
    has_equal_values_ = has_equal_values_ && value == first_;
    has_equal_counts_ = has_equal_counts_ && domain.count == count_;
  }

  size_t size() const { return size_; }
  // With the comma behind it.
  size_t Bytes() const {
    constexpr std::string_view kFrame = R"({"domainCount":,"valuesPerLevel":[],"podCounts":{}},)";
    return kFrame.size() + Digits(size_) + BytesOfValues() + BytesOfCounts();
  }

 private:
  size_t BytesOfValues() const {
    if (has_equal_values_) return R"({"universal":""})"sv.size() + first_.size();
    const size_t prefix = std::min(prefix_, shortest_ - std::min(shortest_, suffix_));
    const auto affix = [](size_t length) {
      return length == 0 ? 0 : R"("prefix":"",)"sv.size() + length;
    };
    return R"({"individual":{"roots":[]}})"sv.size() + affix(prefix) + affix(suffix_) + values_ -
           size_ * (prefix + suffix_) + size_ * R"("",)"sv.size() - 1;
  }
  size_t BytesOfCounts() const {
    return has_equal_counts_ ? R"("universal":)"sv.size() + Digits(static_cast<size_t>(count_))
                             : R"("individual":[])"sv.size() + counts_ + size_ - 1;
  }

  std::string_view first_;
  int32_t count_;
  size_t size_ = 0;
  size_t values_ = 0;  // characters of all values
  size_t counts_ = 0;  // digits of all counts
  size_t prefix_, suffix_, shortest_;
  bool has_equal_values_ = true;
  bool has_equal_counts_ = true;
};

std::vector<size_t> FullSizes(size_t domains) {
  std::vector<size_t> sizes;
  for (; domains > 0; domains -= sizes.back())
    sizes.push_back(std::min(domains, kMaxDomainsPerSlice));
  return sizes;
}

// A slice ends where the next domain would lengthen it by more than it needs in a slice of its own.
std::vector<size_t> SizesByPrefix(Domains domains) {
  if (domains.empty()) return {};
  std::vector<size_t> sizes;
  size_t bytes = 0;
  SliceLength one(domains.front());
  SliceLength slice = one;
  for (const TopologyDomain& domain : domains.subspan(1)) {
    one.Add(domain);
    const SliceLength next(domain);
    SliceLength longer = slice;
    longer.Add(domain);
    if (longer.size() <= kMaxDomainsPerSlice && longer.Bytes() <= slice.Bytes() + next.Bytes()) {
      slice = longer;
      continue;
    }
    bytes += slice.Bytes();
    sizes.push_back(slice.size());
    slice = next;
  }
  sizes.push_back(slice.size());
  bytes += slice.Bytes();
  const bool is_shorter = bytes < one.Bytes() || one.size() > kMaxDomainsPerSlice;
  return is_shorter && sizes.size() <= kMaxSlices ? sizes : FullSizes(domains.size());
}

std::string UnpackValue(const LevelValues& values, size_t domain) {
  if (values.universal) return *values.universal;
  if (!values.individual || domain >= values.individual->roots.size()) return {};
  return values.individual->prefix.value_or("") + values.individual->roots[domain] +
         values.individual->suffix.value_or("");
}

int32_t UnpackCount(const DomainPodCounts& counts, size_t domain) {
  if (counts.universal) return *counts.universal;
  return counts.individual && domain < counts.individual->size() ? (*counts.individual)[domain] : 0;
}

// The number of domains a slice lists. domainCount alone may be as large as 2^31.
size_t ListedDomains(const TopologyAssignmentSlice& slice) {
  size_t listed = 1;
  for (const LevelValues& values : slice.values_per_level) {
    if (values.individual) listed = std::max(listed, values.individual->roots.size());
  }
  if (slice.pod_counts.individual) listed = std::max(listed, slice.pod_counts.individual->size());
  return std::min(listed, static_cast<size_t>(std::max(slice.domain_count, 0)));
}

void UnpackSlice(const TopologyAssignmentSlice& slice, std::vector<TopologyDomain>& domains) {
  const size_t n = ListedDomains(slice);
  for (size_t i = 0; i < n; ++i) {
    TopologyDomain& domain = domains.emplace_back();
    domain.count = UnpackCount(slice.pod_counts, i);
    for (const LevelValues& values : slice.values_per_level)
      domain.values.push_back(UnpackValue(values, i));
  }
}

// v1beta1 lists the domains one by one.
void UpgradeAssignment(void* self) {
  auto& assignment = *static_cast<TopologyAssignment*>(self);
  assignment.slices = PackTopologyAssignment(assignment.levels, assignment.previous_domains).slices;
  assignment.previous_domains.clear();
}

}  // namespace

TopologyAssignment PackTopologyAssignment(std::vector<std::string> levels,
                                          const std::vector<TopologyDomain>& domains,
                                          SliceCuts cuts) {
  TopologyAssignment assignment{.levels = std::move(levels)};
  const size_t level_count = assignment.levels.size();
  const std::vector<size_t> sizes = cuts == SliceCuts::kByPrefix && level_count == 1
                                        ? SizesByPrefix(domains)
                                        : FullSizes(domains.size());
  Domains rest(domains);
  for (const size_t size : sizes) {
    assignment.slices.push_back(PackSlice(rest.first(size), level_count));
    rest = rest.subspan(size);
  }
  return assignment;
}

std::vector<TopologyDomain> UnpackTopologyAssignment(const TopologyAssignment& assignment) {
  std::vector<TopologyDomain> domains;
  for (const TopologyAssignmentSlice& slice : assignment.slices) UnpackSlice(slice, domains);
  return domains;
}

const schema::Struct& TopologyDomain::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TopologyDomain::values>(
          "values", "values lists the node label values of the domain, one per level.")
          .Required()
          .MinItems(1)
          .MaxItems(16),
      Member<&TopologyDomain::count>("count", "count is the number of pods in the domain.")
          .Required()
          .Min(1),
  };
  static constexpr auto kStruct = schema::Describe<TopologyDomain>(
      "TopologyDomain", "TopologyDomain is a topology domain and its number of pods.", kFields);
  return kStruct;
}

const schema::Struct& IndividualLevelValues::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&IndividualLevelValues::prefix>("prefix", "prefix is the common prefix of all values.")
          .MaxLength(63),
      Member<&IndividualLevelValues::suffix>("suffix", "suffix is the common suffix of all values.")
          .MaxLength(63),
      Member<&IndividualLevelValues::roots>(
          "roots", "roots lists the values without prefix and suffix, one per domain.")
          .Required()
          .MinItems(1)
          .MaxItems(kMaxDomainsPerSlice)
          .Items({.max_length = 63}),
  };
  static constexpr auto kStruct = schema::Describe<IndividualLevelValues>(
      "IndividualLevelValues",
      "IndividualLevelValues holds values of a level that differ between domains.", kFields);
  return kStruct;
}

const schema::Struct& LevelValues::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LevelValues::universal>("universal",
                                      "universal is the value of all domains of the slice.")
          .MaxLength(63),
      Member<&LevelValues::individual>("individual",
                                       "individual holds a value for each domain of the slice."),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const LevelValues& self) {
        return self.universal.has_value() != self.individual.has_value();
      }>("has(self.universal) != has(self.individual)",
         "exactly one of universal and individual must be set"),
  };
  static constexpr auto kStruct = schema::Describe<LevelValues>(
      "LevelValues", "LevelValues holds the node label values of one level.", kFields, kRules);
  return kStruct;
}

const schema::Struct& DomainPodCounts::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DomainPodCounts::universal>(
          "universal", "universal is the number of pods in each domain of the slice.")
          .Min(1),
      Member<&DomainPodCounts::individual>("individual",
                                           "individual lists the number of pods of each domain.")
          .MinItems(1)
          .MaxItems(kMaxDomainsPerSlice)
          .Items({.minimum = 1}),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const DomainPodCounts& self) {
        return self.universal.has_value() != self.individual.has_value();
      }>("has(self.universal) != has(self.individual)",
         "exactly one of universal and individual must be set"),
  };
  static constexpr auto kStruct = schema::Describe<DomainPodCounts>(
      "DomainPodCounts", "DomainPodCounts holds the number of pods in each domain.", kFields,
      kRules);
  return kStruct;
}

const schema::Struct& TopologyAssignmentSlice::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TopologyAssignmentSlice::domain_count>(
          "domainCount", "domainCount is the number of domains in the slice.")
          .Required()
          .Min(1),
      Member<&TopologyAssignmentSlice::values_per_level>(
          "valuesPerLevel",
          "valuesPerLevel holds the values of the domains for each level of the assignment.")
          .Required()
          .MinItems(1)
          .MaxItems(16),
      Member<&TopologyAssignmentSlice::pod_counts>(
          "podCounts", "podCounts is the number of pods in each domain.")
          .Required(),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const TopologyAssignmentSlice& self) {
        return !self.pod_counts.individual ||
               std::cmp_equal(self.pod_counts.individual->size(), self.domain_count);
      }>("!has(self.podCounts.individual) || "
         "self.podCounts.individual.size() == self.domainCount",
         "podCounts.individual must have domainCount entries"),
      Must<[](const TopologyAssignmentSlice& self) {
        return std::ranges::all_of(self.values_per_level, [&](const LevelValues& values) {
          return !values.individual ||
                 std::cmp_equal(values.individual->roots.size(), self.domain_count);
        });
      }>("self.valuesPerLevel.all(v, !has(v.individual) || "
         "v.individual.roots.size() == self.domainCount)",
         "individual.roots must have domainCount entries in each of valuesPerLevel"),
  };
  static constexpr auto kStruct = schema::Describe<TopologyAssignmentSlice>(
      "TopologyAssignmentSlice", "TopologyAssignmentSlice is a compact list of domains.", kFields,
      kRules);
  return kStruct;
}

const schema::Struct& TopologyAssignment::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TopologyAssignment::levels>(
          "levels", "levels lists the node labels of the levels, widest first.")
          .Required()
          .MinItems(1)
          .MaxItems(16)
          .Items({.max_length = 317}),
      Member<&TopologyAssignment::slices>("slices", "slices lists the assigned domains.")
          .Required()
          .MaxItems(kMaxSlices)
          .New(),
      Member<&TopologyAssignment::previous_domains>("domains", "Deprecated: use slices.")
          .Previous(),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const TopologyAssignment& self) {
        return std::ranges::all_of(self.slices, [&](const TopologyAssignmentSlice& slice) {
          return slice.values_per_level.size() == self.levels.size();
        });
      }>("self.slices.all(s, s.valuesPerLevel.size() == self.levels.size())",
         "valuesPerLevel must have one entry for each of levels in every slice")
          .New(),
  };
  static constexpr auto kStruct =
      schema::Describe<TopologyAssignment>(
          "TopologyAssignment", "TopologyAssignment lists the domains assigned to the pods.",
          kFields, kRules)
          .Upgrade(&UpgradeAssignment);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::LevelValues>;
template class std::vector<berth::api::TopologyAssignmentSlice>;
template class std::vector<berth::api::TopologyDomain>;
