// Validates the resources section: quota check, transformations, device classes.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "api/config/configuration_rules_parts.h"
#include "api/meta/label_rules.h"
#include "api/meta/names.h"

namespace berth::api {
namespace {

constexpr size_t kMaxMappings = 16;
constexpr size_t kMaxClassesOfMapping = 8;
constexpr size_t kLongestDriver = 63;
constexpr size_t kLongestIdentifier = 32;

// --- Quota check --------------------------------------------------------------------------------

bool IsOneOf(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// While QuotaCheck is off, the field is validated as in Kueue.
void ValidateStrategy(const ResourcesSettings& resources, const FeatureGates& gates,
                      ProblemReport& report) {
  if (!resources.quota_check_strategy || !gates.IsOn(Gate::kQuotaCheckStrategy)) return;
  const std::string& strategy = *resources.quota_check_strategy;
  if (!IsOneOf(strategy, kQuotaCheckStrategies)) {
    report.NotSupported("quotaCheckStrategy", Quoted(strategy) + " is not a strategy",
                        "write BlockUndeclared or IgnoreUndeclared");
  }
  // With QuotaCheck on, the combination causes a warning instead.
  if (strategy == kIgnoreUndeclared && !resources.exclude_resource_prefixes.empty() &&
      !gates.IsOn(Gate::kQuotaCheck)) {
    report.Invalid("quotaCheckStrategy",
                   "excludeResourcePrefixes has no effect where undeclared resources are ignored",
                   "remove the prefixes, or turn on the feature gate QuotaCheck");
  }
}

void ValidateQuotaCheck(const ResourcesSettings& resources, ProblemReport& report) {
  if (!resources.quota_check) return;
  const std::string& check = *resources.quota_check;
  if (!IsOneOf(check, kQuotaChecks)) {
    report.NotSupported("quotaCheck", Quoted(check) + " is not a quota check",
                        "write All or OnlyDeclared");
    return;
  }
  if (!resources.quota_check_strategy) return;
  const bool is_declared_only = *resources.quota_check_strategy == kIgnoreUndeclared;
  if ((check == kQuotaCheckOnlyDeclared) == is_declared_only) return;
  report.Invalid(
      "quotaCheck",
      Quoted(check) + " contradicts quotaCheckStrategy " + Quoted(*resources.quota_check_strategy),
      "All is BlockUndeclared, OnlyDeclared is IgnoreUndeclared; keep one of the two");
}

// --- Transformations ----------------------------------------------------------------------------

void ValidateTransformations(const std::vector<ResourceTransformation>& transformations,
                             ProblemReport& report) {
  std::set<std::string_view> inputs;
  for (size_t i = 0; i < transformations.size(); ++i) {
    const ResourceTransformation& transformation = transformations[i];
    const auto at = report.In("transformations", i);
    if (!IsOneOf(transformation.strategy, kTransformationStrategies)) {
      report.NotSupported("strategy", Quoted(transformation.strategy) + " is not a strategy",
                          "write Retain or Replace");
    }
    if (!inputs.insert(transformation.input).second) {
      report.Duplicate("input", Quoted(transformation.input) + " is transformed already",
                       "merge the outputs into one transformation");
    }
  }
}

// --- Device classes -----------------------------------------------------------------------------

void ValidateMappedName(const std::string& name, std::string_view field, ProblemReport& report) {
  const NameProblems faults = QualifiedNameProblems(name);
  if (!faults.empty()) report.Invalid(field, Quoted(name) + " " + faults.front());
  if (name.size() > kMaxSubdomainLength) {
    report.Invalid(field, "must be no more than " + std::to_string(kMaxSubdomainLength) + " bytes");
  }
}

// "domain/name" or "name", where the name is a C identifier.
void ValidateCapacityName(std::string_view name, ProblemReport& report) {
  const auto check_identifier = [&](std::string_view id) {
    if (id.size() > kLongestIdentifier) {
      report.Add(schema::ProblemType::kTooLong, "name", Quoted(id) + " is too long",
                 "at most " + std::to_string(kLongestIdentifier) + " bytes are possible");
    }
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const bool is_identifier =
        !id.empty() && is_letter(id.front()) &&
        std::ranges::all_of(id, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
    if (!is_identifier) {
      report.Invalid("name", Quoted(id) + " must be letters, digits and '_', no digit first");
    }
  };
  const size_t slash = name.find('/');
  if (slash == name.npos) return check_identifier(name);
  // Kueue accepts names with several slashes.
  if (name.find('/', slash + 1) != name.npos) return;
  const std::string_view domain = name.substr(0, slash);
  if (domain.size() > kLongestDriver) {
    report.Add(schema::ProblemType::kTooLong, "name", Quoted(domain) + " is too long",
               "at most " + std::to_string(kLongestDriver) + " bytes are possible");
  }
  std::string lower(domain);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (domain.empty()) {
    report.Invalid("name", "must have something before '/'");
  } else {
    ReportFaults(domain, Dns1123SubdomainProblems(lower), "name", report);
  }
  const std::string_view id = name.substr(slash + 1);
  if (id.empty()) {
    report.Invalid("name", "must have something after '/'");
  } else {
    check_identifier(id);
  }
}

void ValidateDriver(const DeviceSourceSettings& source, ProblemReport& report) {
  if (source.driver.empty()) {
    report.Required("driver", "must name the driver that publishes the devices");
  } else if (source.driver.size() > kLongestDriver) {
    report.Invalid("driver", Quoted(source.driver) + " must be no more than " +
                                 std::to_string(kLongestDriver) + " bytes");
  } else if (const NameProblems faults = Dns1123SubdomainProblems(source.driver); !faults.empty()) {
    report.Invalid("driver", Quoted(source.driver) + " " + faults.front());
  }
  if (source.device_selector.cel && !source.device_selector.cel->expression.empty()) return;
  const auto in_selector = report.In("deviceSelector");
  const auto in_cel = report.In("cel");
  report.Required("expression", "must select the driver's devices to count",
                  "write for example true for all of them");
}

void ValidateCounter(const DeviceSourceSettings& counter, const FeatureGates& gates,
                     ProblemReport& report) {
  if (!gates.IsOn(Gate::kKueueDRAIntegrationPartitionableDevices)) {
    report.Invalid("counter", "needs the feature gate KueueDRAIntegrationPartitionableDevices",
                   "turn it on or remove the counter");
    return;
  }
  const auto in = report.In("counter");
  if (counter.name.empty()) {
    report.Required("name", "must name a counter of the driver");
  } else if (const NameProblems faults = Dns1123LabelProblems(counter.name); !faults.empty()) {
    report.Invalid("name", Quoted(counter.name) + " " + faults.front());
  }
  ValidateDriver(counter, report);
}

void ValidateCapacity(const DeviceSourceSettings& capacity, const FeatureGates& gates,
                      ProblemReport& report) {
  if (!gates.IsOn(Gate::kKueueDRAIntegrationConsumableCapacity)) {
    report.Invalid("capacity", "needs the feature gate KueueDRAIntegrationConsumableCapacity",
                   "turn it on or remove the capacity");
    return;
  }
  const auto in = report.In("capacity");
  ValidateCapacityName(capacity.name, report);
  ValidateDriver(capacity, report);
}

void ValidateSources(const std::vector<DeviceClassSource>& sources, const FeatureGates& gates,
                     ProblemReport& report) {
  bool has_counter = false, has_capacity = false;
  for (size_t i = 0; i < sources.size(); ++i) {
    const DeviceClassSource& source = sources[i];
    const auto at = report.In("sources", i);
    if (!source.counter && !source.capacity) {
      report.Required("", "must name the counter or capacity",
                      "write counter or capacity below it");
    } else if (source.counter && source.capacity) {
      report.Invalid("", "counts a counter and a capacity", "remove one of the two");
    } else if (source.counter) {
      has_counter = true;
      ValidateCounter(*source.counter, gates, report);
    } else {
      has_capacity = true;
      ValidateCapacity(*source.capacity, gates, report);
    }
  }
  if (has_counter && has_capacity) {
    report.Invalid("sources", "one resource counts counters or capacities",
                   "make a mapping for each of the two");
  }
}

class MappingRules {
 public:
  explicit MappingRules(ProblemReport& report) : report_(report) {}

  void Check(const DeviceClassMapping& mapping) {
    ValidateMappedName(mapping.name, "name", report_);
    if (!names_.insert(mapping.name).second) {
      report_.Duplicate("name", Quoted(mapping.name) + " is mapped already",
                        "list all its device classes in one mapping");
    }
    const std::vector<std::string>& classes = mapping.device_class_names;
    if (classes.empty()) {
      report_.Required("deviceClassNames", "must list at least one device class");
    } else if (classes.size() > kMaxClassesOfMapping) {
      report_.Add(schema::ProblemType::kTooMany, "deviceClassNames",
                  std::to_string(classes.size()) + " device classes are too many",
                  "list at most " + std::to_string(kMaxClassesOfMapping));
    }
    std::set<std::string_view> seen;
    for (size_t i = 0; i < classes.size(); ++i) {
      const auto at = report_.In("deviceClassNames", i);
      ValidateMappedName(classes[i], "", report_);
      if (!seen.insert(classes[i]).second) {
        report_.Duplicate("", Quoted(classes[i]) + " is listed already", "remove it");
      }
      CheckUse(classes[i], mapping);
    }
  }

 private:
  struct Use {
    std::string_view resource;
    std::set<std::string_view> counters;
  };

  // The counter of the mapping; "" if devices are counted.
  static std::string_view CounterOf(const DeviceClassMapping& mapping) {
    if (mapping.sources.empty() || !mapping.sources[0].counter) return {};
    return mapping.sources[0].counter->name;
  }

  // A class maps to one resource, or to several with different counters.
  void CheckUse(std::string_view device_class, const DeviceClassMapping& mapping) {
    const std::string_view counter = CounterOf(mapping);
    const auto [it, is_new] = uses_.try_emplace(device_class, Use{mapping.name, {}});
    Use& use = it->second;
    if (is_new) {
      if (!counter.empty()) use.counters.insert(counter);
    } else if (use.resource != mapping.name) {
      if (counter.empty() || use.counters.empty()) {
        report_.Invalid("",
                        Quoted(device_class) + " counts as " + Quoted(use.resource) + " already",
                        "remove it from one of the two");
      } else if (!use.counters.insert(counter).second) {
        report_.Invalid(
            "",
            "counter " + Quoted(counter) + " of " + Quoted(device_class) + " is counted already",
            "count another counter");
      }
    }
  }

  ProblemReport& report_;
  std::set<std::string_view> names_;
  std::map<std::string_view, Use> uses_;
};

void ValidateMappings(const std::vector<DeviceClassMapping>& mappings, const FeatureGates& gates,
                      ProblemReport& report) {
  if (mappings.size() > kMaxMappings) {
    report.Add(schema::ProblemType::kTooMany, "deviceClassMappings",
               std::to_string(mappings.size()) + " mappings are too many",
               "at most " + std::to_string(kMaxMappings) + " are possible");
  }
  MappingRules rules(report);
  for (size_t i = 0; i < mappings.size(); ++i) {
    const auto at = report.In("deviceClassMappings", i);
    rules.Check(mappings[i]);
    ValidateSources(mappings[i].sources, gates, report);
  }
}

}  // namespace

void ValidateResources(const ResourcesSettings& resources, const FeatureGates& gates,
                       ProblemReport& report) {
  const auto in = report.In("resources");
  ValidateTransformations(resources.transformations, report);
  ValidateMappings(resources.device_class_mappings, gates, report);
  ValidateStrategy(resources, gates, report);
  ValidateQuotaCheck(resources, report);
}

}  // namespace berth::api
