#include "lint/catalog.h"

#include "api/batch/cron_job.h"
#include "api/batch/job.h"
#include "api/meta/object_defaults.h"
#include "api/meta/problem_report.h"
#include "base/suggest.h"

namespace berth::lint {
namespace {

// A CronJob stands for the Jobs that it creates. Namespaces are not filled in: a manifest without
// one may be meant for any.
api::Object WithDefaults(const api::Object& object) {
  api::Object copy = object.Clone();
  if (auto* cron = copy.As<api::CronJob>())
    api::ApplyDependentDefaults(cron->spec.job_template.spec);
  api::ApplyDefaults(copy);
  return copy;
}

}  // namespace

Catalog::Catalog(std::span<const api::Manifest> manifests, const api::FeatureGates& gates)
    : gates_(gates) {
  for (const api::Manifest& manifest : manifests) {
    Entry& entry = entries_.emplace_back(Entry{.manifest = &manifest, .object = {}});
    if (manifest.object) entry.object = WithDefaults(*manifest.object);
    if (manifest.known == nullptr) continue;
    by_kind_[manifest.known].push_back(&entry);
    by_name_.try_emplace({manifest.known, manifest.metadata().name}, &entry);
  }
  api::ApplyConfigurationDefaults(configuration_);
  for (const Entry* entry : All(api::Configuration::KindInfo())) {
    if (!entry->object) continue;
    configuration_ = *entry->object->As<api::Configuration>();
    // Problems of the gates are reported with the Configuration.
    gates_ = api::KnownFeatureGates(configuration_.feature_gates);
    break;
  }
}

const std::vector<const Entry*>& Catalog::All(const schema::Kind& kind) const {
  static const std::vector<const Entry*> kNone;
  const auto found = by_kind_.find(&kind);
  return found == by_kind_.end() ? kNone : found->second;
}

const Entry* Catalog::Find(const schema::Kind& kind, std::string_view name) const {
  const auto found = by_name_.find({&kind, name});
  return found == by_name_.end() ? nullptr : found->second;
}

bool Catalog::IsMissing(const schema::Kind& kind, std::string_view name) const {
  return !All(kind).empty() && Find(kind, name) == nullptr;
}

std::string Catalog::Suggest(const schema::Kind& kind, std::string_view name) const {
  constexpr size_t kMaxListed = 5;
  std::vector<std::string_view> names;
  for (const Entry* entry : All(kind)) names.push_back(entry->metadata().name);
  std::string suggestion = base::DidYouMean(name, names);
  if (!suggestion.empty() || names.size() > kMaxListed) return suggestion;
  return "there " + std::string(names.size() == 1 ? "is " : "are ") + api::QuotedList(names);
}

}  // namespace berth::lint
