#include "journal/usage.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "journal/recorded_object.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::journal {
namespace {

constexpr int64_t kMostMilli = std::numeric_limits<int64_t>::max();

std::string UserOf(const api::Workload& workload) {
  for (const auto* names : {&workload.metadata.labels, &workload.metadata.annotations})
    if (const std::string* user = names->Find(kUserLabel)) return *user;
  return {};
}

// The controlling owner, or the Workload itself.
std::string JobOf(const api::Workload& workload) {
  const api::ObjectMeta& metadata = workload.metadata;
  for (const api::OwnerReference& owner : metadata.owner_references)
    if (owner.controller.value_or(false))
      return owner.kind + " " + workload::NamespacedName(metadata.namespace_, owner.name);
  return "Workload " + workload::NamespacedName(metadata);
}

QueueQuota QuotaOf(const api::ClusterQueue& queue) {
  QueueQuota result{.cohort = queue.spec.cohort_name.value_or(""), .entries = {}};
  for (const api::ResourceGroup& group : queue.spec.resource_groups)
    for (const api::FlavorQuotas& flavor : group.flavors)
      for (const api::ResourceQuota& quota : flavor.resources) {
        const int64_t nominal = quota.nominal_quota.MilliValue();
        result.entries[{flavor.name, quota.name}] = {
            .nominal = nominal,
            .lendable = quota.lending_limit ? quota.lending_limit->MilliValue() : nominal};
      }
  return result;
}

std::vector<std::string> FlavorsOf(const std::vector<std::string>& all) {
  std::vector<std::string> flavors = all;
  std::ranges::sort(flavors);
  flavors.erase(std::ranges::unique(flavors).begin(), flavors.end());
  return flavors;
}

}  // namespace

std::vector<std::pair<base::Int128, base::Int128>> LoansOf(const std::vector<PoolMember>& members) {
  const auto borrowed_by = [](const PoolMember& m) {
    return std::max<base::Int128>(m.used - m.nominal, 0);
  };
  const auto free_of = [](const PoolMember& m) {
    return std::min<base::Int128>(std::max<base::Int128>(m.nominal - m.used, 0), m.lendable);
  };
  base::Int128 borrowed = 0, free = 0;
  for (const PoolMember& m : members) {
    borrowed += borrowed_by(m);
    free += free_of(m);
  }
  std::vector<std::pair<base::Int128, base::Int128>> loans;
  for (const PoolMember& m : members) {
    const base::Int128 lent = free == 0 ? 0 : free_of(m) * std::min(borrowed, free) / free;
    loans.emplace_back(borrowed_by(m), lent);
  }
  return loans;
}

std::vector<UsageStep> StepsOf(const std::vector<UsageSpan>& spans, std::string_view queue) {
  using Change = std::tuple<base::Time, std::string, std::string>;  // time, flavor, resource
  std::map<Change, base::Int128> changes;
  for (const UsageSpan& span : spans) {
    if (span.cluster_queue != queue) continue;
    changes[{span.begin, span.flavor, span.resource}] += span.milli;
    changes[{span.end, span.flavor, span.resource}] -= span.milli;
  }
  std::map<std::pair<std::string, std::string>, base::Int128> used;
  std::vector<UsageStep> steps;
  for (const auto& [at, milli] : changes) {
    const auto& [time, flavor, resource] = at;
    if (milli == 0) continue;
    const base::Int128 now = used[{flavor, resource}] += milli;
    steps.push_back({.time = time,
                     .flavor = flavor,
                     .resource = resource,
                     .milli = static_cast<int64_t>(std::min<base::Int128>(now, kMostMilli))});
  }
  return steps;
}

base::Time UsageAccount::begin() const { return std::max(window_.from, first_); }
base::Time UsageAccount::end() const { return std::min(window_.to, now_); }
base::Time UsageAccount::Clip(base::Time time) const {
  return std::clamp(time, window_.from, window_.to);
}

void UsageAccount::Add(const Record& record) {
  if (const auto* header = std::get_if<Header>(&record)) return Begin(*header);
  if (const auto* sync = std::get_if<Sync>(&record)) return OnSync(sync->now);
  if (std::holds_alternative<Upsert>(record) || std::holds_alternative<Removal>(record))
    waiting_.push_back(record);
}

// A restarted process lists all objects before its first Sync; what it does not list is gone.
void UsageAccount::Begin(const Header& header) {
  if (!std::exchange(has_begun_, true)) first_ = now_ = loans_since_ = header.start;
  if (header.is_continued) return;
  for (auto& [name, tracked] : workloads_) tracked.is_stale = true;
  must_sweep_ = true;
}

void UsageAccount::OnSync(base::Time now) {
  now_ = std::max(now_, now);
  if (waiting_.empty() && !must_sweep_) return;
  AccrueLoans();
  for (const Record& record : std::exchange(waiting_, {})) {
    if (const auto* removal = std::get_if<Removal>(&record)) {
      OnRemoval(*removal);
      continue;
    }
    const auto& upsert = std::get<Upsert>(record);
    if (!IsWorkload(upsert)) {
      OnOther(upsert);
    } else if (const auto workload = WorkloadOf(upsert)) {
      OnWorkload(workload::NamespacedName(workload->metadata), &*workload);
    }
  }
  if (!std::exchange(must_sweep_, false)) return;
  std::vector<std::string> gone;
  for (const auto& [name, tracked] : workloads_)
    if (tracked.is_stale) gone.push_back(name);
  for (const std::string& name : gone) OnWorkload(name, nullptr);
}

void UsageAccount::OnRemoval(const Removal& removal) {
  if (IsWorkload(removal))
    OnWorkload(workload::NamespacedName(removal.namespace_, removal.name), nullptr);
  else if (removal.kind == api::ClusterQueue::KindInfo().kind)
    queues_.erase(removal.name);
  else if (removal.kind == api::Cohort::KindInfo().kind)
    parents_.erase(removal.name);
}

// --- Workloads -----------------------------------------------------------------------------------

void UsageAccount::OnWorkload(const std::string& name, const api::Workload* workload) {
  auto known = workloads_.find(name);
  const bool is_other = known != workloads_.end() && workload != nullptr &&
                        known->second.uid != workload->metadata.uid;
  if (known != workloads_.end() && (workload == nullptr || is_other)) {
    Release(name, known->second, false);
    workloads_.erase(known);
    known = workloads_.end();
  }
  if (workload == nullptr) return;
  if (known == workloads_.end()) {
    known = workloads_.emplace(name, Tracked()).first;
    known->second.uid = workload->metadata.uid;
    known->second.since = workload->metadata.creation_timestamp.value_or(now_);
  }
  known->second.is_stale = false;
  Reserve(name, known->second, *workload);
}

void UsageAccount::Reserve(const std::string& name, Tracked& tracked,
                           const api::Workload& workload) {
  const bool holds_quota = workload::HoldsQuota(workload);
  std::vector<Held> held;
  if (holds_quota)
    for (const api::PodSetAssignment& pods : workload.status.admission->pod_set_assignments)
      for (const auto& [resource, amount] : pods.resource_usage)
        if (const std::string* flavor = pods.flavors.Find(resource))
          held.push_back({.flavor = *flavor, .resource = resource, .milli = amount.MilliValue()});
  const std::string queue = holds_quota ? workload.status.admission->cluster_queue : "";
  if (held == tracked.held && queue == tracked.cluster_queue) return;
  const bool had_quota = !tracked.cluster_queue.empty();
  if (had_quota) Release(name, tracked, workload::IsEvicted(workload));
  tracked.namespace_ = workload.metadata.namespace_;
  tracked.user = UserOf(workload);
  tracked.job = JobOf(workload);
  if (!holds_quota) return;
  if (!had_quota && Clip(now_) == now_) {
    std::vector<std::string> flavors;
    for (const Held& h : held) flavors.push_back(h.flavor);
    waits_.push_back({.workload = name,
                      .cluster_queue = queue,
                      .namespace_ = tracked.namespace_,
                      .user = tracked.user,
                      .job = tracked.job,
                      .flavors = FlavorsOf(flavors),
                      .begin = std::min(tracked.since, now_),
                      .end = now_});
  }
  tracked.cluster_queue = queue;
  tracked.held = std::move(held);
  tracked.since = now_;
  for (const Held& h : tracked.held) used_[{queue, h.flavor, h.resource}] += h.milli;
}

void UsageAccount::Release(const std::string& name, Tracked& tracked, bool is_evicted) {
  const base::Time begin = Clip(tracked.since), end = Clip(now_);
  for (const Held& h : tracked.held) {
    used_[{tracked.cluster_queue, h.flavor, h.resource}] -= h.milli;
    if (begin == end) continue;
    spans_.push_back({.workload = name,
                      .cluster_queue = tracked.cluster_queue,
                      .namespace_ = tracked.namespace_,
                      .user = tracked.user,
                      .job = tracked.job,
                      .flavor = h.flavor,
                      .resource = h.resource,
                      .milli = h.milli,
                      .begin = begin,
                      .end = end,
                      .is_evicted = is_evicted});
  }
  tracked.held.clear();
  tracked.cluster_queue.clear();
  tracked.since = now_;
}

void UsageAccount::Close() {
  OnSync(now_);
  AccrueLoans();
  for (auto& [name, tracked] : workloads_) Release(name, tracked, false);
}

// --- Loans ---------------------------------------------------------------------------------------

void UsageAccount::OnOther(const Upsert& upsert) {
  const auto object = ObjectOf(upsert);
  if (!object) return;
  if (const auto* queue = object->As<api::ClusterQueue>())
    queues_[queue->metadata.name] = QuotaOf(*queue);
  if (const auto* cohort = object->As<api::Cohort>())
    parents_[cohort->metadata.name] = cohort->spec.parent_name.value_or("");
}

std::string UsageAccount::RootOf(std::string cohort) const {
  // A cycle of cohorts has no root; any bound will do.
  for (size_t i = 0; i <= parents_.size(); ++i) {
    const auto parent = parents_.find(cohort);
    if (parent == parents_.end() || parent->second.empty()) return cohort;
    cohort = parent->second;
  }
  return cohort;
}

void UsageAccount::AccrueLoans() {
  const base::Time from = Clip(loans_since_), to = Clip(now_);
  loans_since_ = now_;
  if (to <= from) return;
  using Pool = std::tuple<std::string, std::string, std::string>;  // root, flavor, resource
  std::map<Pool, std::pair<std::vector<LoanKey>, std::vector<PoolMember>>> pools;
  for (const auto& [name, queue] : queues_) {
    if (queue.cohort.empty()) continue;
    const std::string root = RootOf(queue.cohort);
    for (const auto& [pair, quota] : queue.entries) {
      const LoanKey key{name, pair.first, pair.second};
      const auto used = used_.find(key);
      auto& [keys, members] = pools[{root, pair.first, pair.second}];
      keys.push_back(key);
      members.push_back({.nominal = quota.nominal,
                         .lendable = quota.lendable,
                         .used = used == used_.end() ? 0 : used->second});
    }
  }
  for (const auto& [pool, contents] : pools) {
    const auto loans = LoansOf(contents.second);
    for (size_t i = 0; i < loans.size(); ++i) {
      Loan& loan = loans_[contents.first[i]];
      loan.borrowed += loans[i].first * (to.micros - from.micros);
      loan.lent += loans[i].second * (to.micros - from.micros);
    }
  }
}

}  // namespace berth::journal
