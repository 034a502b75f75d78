#include "observe/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <array>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "observe/event_samples.h"
#include "observe/gauges.h"
#include "observe/process_samples.h"
#include "observe/text_format.h"

namespace berth::observe {
namespace {

#if defined(__aarch64__)
constexpr const char* kPlatform = "linux/arm64";
#else
constexpr const char* kPlatform = "linux/amd64";
#endif
constexpr std::string_view kRoleLabel = "replica_role";

std::string_view ToString(Role role) {
  switch (role) {
    case Role::kStandalone:
      return "standalone";
    case Role::kFollower:
      return "follower";
    case Role::kLeader:
      return "leader";
  }
  return "";
}

// All label names in the order of the values.
std::vector<std::string> LabelNames(const MetricInfo& info, const MetricOptions& options) {
  const std::vector<std::string_view> own = LabelsOf(info);
  std::vector<std::string> names(own.begin(), own.end());
  for (std::string& name : options.CustomNames(info)) names.push_back(std::move(name));
  if (info.has_role) names.emplace_back(kRoleLabel);
  return names;
}

prometheus::MetricType TypeOf(MetricType type) {
  switch (type) {
    case MetricType::kCounter:
      return prometheus::MetricType::Counter;
    case MetricType::kGauge:
      return prometheus::MetricType::Gauge;
    case MetricType::kHistogram:
      return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

prometheus::MetricFamily EmptyFamily(const MetricInfo& info) {
  return {.name = std::string(info.name),
          .help = std::string(info.help),
          .type = TypeOf(info.type),
          .metric = {}};
}

// A metric whose samples are computed at scrape time.
struct CurrentFamily {
  prometheus::MetricFamily family;
  std::vector<std::string> label_names;
};

// The series of one metric by label values.
template <class T>
class Family {
 public:
  Family(prometheus::Family<T>& family, std::vector<std::string> names)
      : family_(&family), names_(std::move(names)) {}

  template <class... Args>
  T& At(const std::vector<std::string>& values, Args&&... args) {
    const auto known = series_.find(values);
    if (known != series_.end()) return *known->second;
    prometheus::Labels labels;
    for (size_t i = 0; i < names_.size(); ++i) labels[names_[i]] = values[i];
    return *(series_[values] = &family_->Add(labels, std::forward<Args>(args)...));
  }

  void Remove(const std::vector<std::pair<std::string_view, std::string_view>>& labels) {
    RemoveIf([&](const std::vector<std::string>& values) {
      return std::ranges::all_of(labels, [&](const auto& label) {
        const std::string* value = FindValue(values, label.first);
        return value != nullptr && *value == label.second;
      });
    });
  }

  // Removes series whose label has none of these values.
  void Keep(std::string_view label, const std::vector<std::string_view>& kept) {
    RemoveIf([&](const std::vector<std::string>& values) {
      const std::string* value = FindValue(values, label);
      return value != nullptr && std::ranges::find(kept, *value) == kept.end();
    });
  }

 private:
  const std::string* FindValue(const std::vector<std::string>& values,
                               std::string_view label) const {
    const auto name = std::ranges::find(names_, label);
    return name == names_.end() ? nullptr : &values[static_cast<size_t>(name - names_.begin())];
  }

  template <class Predicate>
  void RemoveIf(Predicate is_meant) {
    std::erase_if(series_, [&](const auto& series) {
      const bool is_removed = is_meant(series.first);
      if (is_removed) family_->Remove(series.second);
      return is_removed;
    });
  }

  prometheus::Family<T>* family_;
  std::vector<std::string> names_;
  std::map<std::vector<std::string>, T*> series_;
};

using AnyFamily = std::variant<std::monostate, Family<prometheus::Counter>,
                               Family<prometheus::Gauge>, Family<prometheus::Histogram>>;

template <class T>
auto BuilderOf() {
  if constexpr (std::is_same_v<T, prometheus::Counter>) {
    return prometheus::BuildCounter();
  } else if constexpr (std::is_same_v<T, prometheus::Gauge>) {
    return prometheus::BuildGauge();
  } else {
    return prometheus::BuildHistogram();
  }
}

template <class T>
AnyFamily MakeFamily(prometheus::Registry& registry, const MetricInfo& info,
                     const MetricOptions& options) {
  return Family<T>(
      BuilderOf<T>().Name(std::string(info.name)).Help(std::string(info.help)).Register(registry),
      LabelNames(info, options));
}

AnyFamily MakeFamily(prometheus::Registry& registry, const MetricInfo& info,
                     const MetricOptions& options) {
  switch (info.type) {
    case MetricType::kCounter:
      return MakeFamily<prometheus::Counter>(registry, info, options);
    case MetricType::kGauge:
      return MakeFamily<prometheus::Gauge>(registry, info, options);
    case MetricType::kHistogram:
      return MakeFamily<prometheus::Histogram>(registry, info, options);
  }
  return {};
}

prometheus::ClientMetric NumberOf(const Sample& sample, const std::vector<std::string>& names,
                                  std::string_view role) {
  prometheus::ClientMetric metric;
  for (size_t i = 0; i < sample.labels.size(); ++i)
    metric.label.push_back({names[i], sample.labels[i]});
  if (InfoOf(sample.metric).has_role)
    metric.label.push_back({std::string(kRoleLabel), std::string(role)});
  std::ranges::sort(metric.label, {}, &prometheus::ClientMetric::Label::name);
  (InfoOf(sample.metric).type == MetricType::kCounter ? metric.counter.value : metric.gauge.value) =
      sample.value;
  return metric;
}

}  // namespace

struct Metrics::Series {
  prometheus::Registry registry;
  std::array<AnyFamily, kMetricCount> families;

  AnyFamily& Of(const MetricInfo& info, const MetricOptions& options) {
    AnyFamily& family = families[static_cast<size_t>(info.metric)];
    if (std::holds_alternative<std::monostate>(family))
      family = MakeFamily(registry, info, options);
    return family;
  }
};

Metrics::Metrics(MetricOptions options, Role role, const BuildInfo& build)
    : options_(std::move(options)), role_(role), series_(std::make_unique<Series>()) {
  Add({.metric = Metric::kBuildInfo,
       .labels = {build.version, build.commit, "", "none", build.compiler, kPlatform},
       .value = 1});
}

Metrics::~Metrics() = default;

void Metrics::Observe(const control::ControllerEvent& event,
                      const workload::ClusterState& cluster) {
  if (const auto* gone = std::get_if<control::QueueGone>(&event)) return RemoveQueue(*gone);
  for (const Sample& sample : SamplesOf(event, cluster, options_)) Add(sample);
}

std::vector<Sample> Metrics::Gauges(const workload::ClusterState& cluster) {
  std::vector<Sample> gauges = GaugesOf(cluster, options_);
  std::vector<std::string_view> cohorts;
  for (const Sample& sample : gauges)
    if (sample.metric == Metric::kCohortInfo) cohorts.emplace_back(sample.labels.front());
  RemoveCohortsExcept(cohorts);
  return gauges;
}

void Metrics::Add(const Sample& sample) {
  const MetricInfo& info = InfoOf(sample.metric);
  std::vector<std::string> values = sample.labels;
  if (info.has_role) values.emplace_back(ToString(role_));
  AnyFamily& family = series_->Of(info, options_);
  if (auto* counter = std::get_if<Family<prometheus::Counter>>(&family))
    counter->At(values).Increment(sample.value);
  if (auto* gauge = std::get_if<Family<prometheus::Gauge>>(&family))
    gauge->At(values).Set(sample.value);
  if (auto* histogram = std::get_if<Family<prometheus::Histogram>>(&family)) {
    const std::span<const double> bounds = BoundsOf(info.buckets);
    histogram->At(values, prometheus::Histogram::BucketBoundaries(bounds.begin(), bounds.end()))
        .Observe(sample.value);
  }
}

void Metrics::RemoveQueue(const control::QueueGone& gone) {
  const auto remove = [&](std::vector<std::pair<std::string_view, std::string_view>> labels) {
    for (AnyFamily& family : series_->families)
      std::visit(
          [&](auto& known) {
            if constexpr (requires { known.Remove(labels); }) known.Remove(labels);
          },
          family);
  };
  if (gone.kind == &api::ClusterQueue::KindInfo()) {
    remove({{"cluster_queue", gone.name}});
    remove({{"preempting_cluster_queue", gone.name}});
  }
  if (gone.kind == &api::LocalQueue::KindInfo())
    remove({{"name", gone.name}, {"namespace", gone.namespace_}});
  if (gone.kind == &api::Cohort::KindInfo()) remove({{"cohort", gone.name}});
}

void Metrics::RemoveCohortsExcept(const std::vector<std::string_view>& cohorts) {
  AnyFamily& family = series_->families[static_cast<size_t>(Metric::kCohortAdmittedTotal)];
  if (auto* admitted = std::get_if<Family<prometheus::Counter>>(&family))
    admitted->Keep("cohort", cohorts);
}

std::string Metrics::Text(const std::vector<Sample>& gauges) const {
  std::vector<prometheus::MetricFamily> families = series_->registry.Collect();
  std::map<Metric, CurrentFamily> current;
  const auto add = [&](const Sample& sample) {
    const MetricInfo& info = InfoOf(sample.metric);
    CurrentFamily& now = current[sample.metric];
    if (now.family.name.empty()) now = {EmptyFamily(info), LabelNames(info, options_)};
    now.family.metric.push_back(NumberOf(sample, now.label_names, ToString(role_)));
  };
  std::ranges::for_each(gauges, add);
  std::ranges::for_each(ProcessSamples(), add);
  for (auto& [metric, now] : current) families.push_back(std::move(now.family));
  std::erase_if(families, [](const auto& family) { return family.metric.empty(); });
  std::ranges::sort(families, {}, &prometheus::MetricFamily::name);
  for (prometheus::MetricFamily& family : families)
    std::ranges::sort(family.metric, {}, &prometheus::ClientMetric::label);
  return TextFormat(families);
}

}  // namespace berth::observe
