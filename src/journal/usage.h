#pragma once

// Who used how much, how long. Exact: amounts are thousandths of the unit of a resource, times are
// microseconds, and sums are integers of 128 bits. No I/O.
//
// Usage begins and ends when the controllers see the change of the Workload. Borrowed, lent and
// nominal quota are those of ClusterQueues:
//   borrowed  usage above the queue's nominal quota
//   free      unused nominal quota, at most the lending limit
//   lent      free × borrowed of the tree / free of the tree, rounded down, at most free

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "api/kueue/workload.h"
#include "base/int128.h"
#include "base/time.h"
#include "journal/record.h"

namespace berth::journal {

// What one Workload held of a flavor and resource, and how long.
struct UsageSpan {
  std::string workload;  // namespaced name
  std::string cluster_queue;
  std::string namespace_;
  std::string user;
  std::string job;  // "Job team/train"
  std::string flavor;
  std::string resource;
  int64_t milli = 0;
  base::Time begin, end;
  bool is_evicted = false;  // it ended with an eviction

  friend bool operator==(const UsageSpan&, const UsageSpan&) = default;
};

// From its creation, or the end of its last run, to the reservation of quota.
struct WaitSpan {
  std::string workload;
  std::string cluster_queue;
  std::string namespace_;
  std::string user;
  std::string job;
  std::vector<std::string> flavors;
  base::Time begin, end;
};

// What a queue uses of a flavor and resource from this time on.
struct UsageStep {
  base::Time time;
  std::string flavor;
  std::string resource;
  int64_t milli = 0;

  friend bool operator==(const UsageStep&, const UsageStep&) = default;
};
// In the order of time, flavor and resource; one step for all changes of a moment.
std::vector<UsageStep> StepsOf(const std::vector<UsageSpan>& spans, std::string_view queue);

struct Loan {
  base::Int128 borrowed = 0;  // milli × microseconds
  base::Int128 lent = 0;
};
using LoanKey = std::tuple<std::string, std::string, std::string>;  // queue, flavor, resource

// Label or annotation of a Workload that names its user.
inline constexpr std::string_view kUserLabel = "berth.dev/user";

// The quota of a queue, as far as loans depend on it.
struct QueueQuota {
  std::string cohort;
  struct Entry {
    int64_t nominal = 0;
    int64_t lendable = 0;  // lending limit, or nominal
  };
  std::map<std::pair<std::string, std::string>, Entry> entries;  // by flavor and resource
};

// Loans within one flavor and resource of a tree, at a moment: by queue, borrowed and lent.
struct PoolMember {
  int64_t nominal = 0;
  int64_t lendable = 0;
  base::Int128 used = 0;
};
std::vector<std::pair<base::Int128, base::Int128>> LoansOf(const std::vector<PoolMember>& members);

class UsageAccount {
 public:
  struct Window {
    base::Time from{INT64_MIN}, to{INT64_MAX};
  };
  explicit UsageAccount(Window window) : window_(window) {}

  void Add(const Record& record);
  // Ends everything that still runs.
  void Close();

  // Within the window.
  const std::vector<UsageSpan>& spans() const { return spans_; }
  const std::vector<WaitSpan>& waits() const { return waits_; }
  const std::map<LoanKey, Loan>& loans() const { return loans_; }
  base::Time begin() const;
  base::Time end() const;

 private:
  struct Held {
    std::string flavor;
    std::string resource;
    int64_t milli = 0;
    friend bool operator==(const Held&, const Held&) = default;
  };
  struct Tracked {
    std::string uid, cluster_queue, namespace_, user, job;
    std::vector<Held> held;  // empty: it has no quota
    base::Time since;        // of the usage, or of the wait
    bool is_stale = false;   // not seen since a restart
  };

  void Begin(const Header& header);
  void OnSync(base::Time now);
  void OnRemoval(const Removal& removal);
  void OnWorkload(const std::string& name, const api::Workload* workload);
  void Release(const std::string& name, Tracked& tracked, bool is_evicted);
  void Reserve(const std::string& name, Tracked& tracked, const api::Workload& workload);
  void OnOther(const Upsert& upsert);
  void AccrueLoans();
  std::string RootOf(std::string cohort) const;
  base::Time Clip(base::Time time) const;

  Window window_;
  base::Time now_, first_, loans_since_;
  bool has_begun_ = false;
  bool must_sweep_ = false;
  std::vector<Record> waiting_;  // changes that the controllers have not synced
  std::map<std::string, Tracked, std::less<>> workloads_;
  std::map<std::string, QueueQuota> queues_;
  std::map<std::string, std::string, std::less<>> parents_;  // of cohorts
  std::map<LoanKey, base::Int128> used_;
  std::vector<UsageSpan> spans_;
  std::vector<WaitSpan> waits_;
  std::map<LoanKey, Loan> loans_;
};

}  // namespace berth::journal
