#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "base/time.h"
#include "http/message.h"
#include "query/viewer.h"
#include "store/inbox.h"

namespace berth::dashboard {

// The past, read from the journal of the process on a thread of its own. One question at a time;
// others are told to come back.
class Past {
 public:
  // `then` runs on the executor.
  using Then = std::move_only_function<void(http::Response)>;

  // `journal`: its directory; "" if none is kept.
  explicit Past(std::filesystem::path journal);
  ~Past();  // waits for the work in progress

  bool is_kept() const { return !journal_.empty(); }

  // The steps of a Workload, oldest first, from the latest part of the journal.
  void Life(std::string namespaced_name, store::Executor& executor, Then then);
  // A ClusterQueue at a moment: its quota, who held it, and who waited. Workloads that the viewer
  // may not see are counted only.
  void Queue(std::string name, base::Time at, query::Viewer viewer, store::Executor& executor,
             Then then);

 private:
  using Work = std::move_only_function<http::Response()>;

  void Start(store::Executor& executor, Then then, Work work);

  const std::filesystem::path journal_;
  std::atomic<bool> is_busy_ = false;
  store::Inbox inbox_;
  std::thread thread_;
};

}  // namespace berth::dashboard
