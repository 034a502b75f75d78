#pragma once

// The state of a cluster that follows a journal, with an engine of its own. No I/O.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "base/error.h"
#include "base/time.h"
#include "journal/record.h"
#include "workload/state/cluster_state.h"

namespace berth::journal {

class Player {
 public:
  // Plays the next record. A header that is not continued, or the first one, begins with an empty
  // cluster; the snapshot of a later segment repeats what is known and is skipped. For a Cycle, the
  // result is what this engine decides. Fails if the record makes no sense here, and skips it.
  base::Result<std::optional<Cycle>> Play(const Record& record);

  // Null before the first header.
  const workload::ClusterState* cluster() const { return cluster_.get(); }
  const api::Configuration& configuration() const { return configuration_; }
  const api::FeatureGates& gates() const { return gates_; }
  // Of the last record with a time.
  base::Time now() const { return now_; }

 private:
  using Played = base::Result<std::optional<Cycle>>;

  Played PlayOne(const Header& header);
  Played PlayOne(const Upsert& upsert);
  Played PlayOne(const Removal& removal);
  Played PlayOne(const SnapshotEnd&);
  Played PlayOne(const Sync& sync);
  Played PlayOne(const Advance& advance);
  Played PlayOne(const Undo& undo);
  Played PlayOne(const BackOff& back_off);
  Played PlayOne(const Cycle& cycle);
  // Whether no other Workload has its uid.
  bool TakeUid(const api::Workload& workload);
  void ForgetUid(std::string_view workload);

  api::Configuration configuration_;
  api::FeatureGates gates_;
  std::unique_ptr<workload::ClusterState> cluster_;
  std::map<std::string, std::string> names_by_uid_;  // of Workloads
  bool is_in_snapshot_ = false;
  bool skips_snapshot_ = false;
  base::Time now_;
};

}  // namespace berth::journal
