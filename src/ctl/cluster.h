#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "ctl/dry_run.h"
#include "store/store.h"

namespace berth::ctl {

// Blocking requests to the cluster of a user. Errors are those of ErrorOf.
class Cluster {
 public:
  struct Options {
    base::Duration answer_limit = base::Duration::Seconds(3600);
    int64_t page_size = 500;
  };

  // The store must outlive the cluster.
  Cluster(store::Store& store, Options options) : store_(store), options_(options) {}

  store::Store& store() { return store_; }
  // What the server warned of so far, for the user.
  const std::vector<std::string>& warnings() const { return warnings_; }

  store::Outcome<store::Object> TryGet(const store::Get& get);
  base::Result<store::Object> Get(const store::Get& get);
  // All pages.
  base::Result<std::vector<store::Object>> List(const store::Resource& resource,
                                                const store::Selection& selection);
  // Returns the object as stored. Not for DryRun::kClient.
  base::Result<store::Object> Create(const store::Resource& resource, const std::string& object,
                                     DryRun dry_run);
  // A merge patch. With DryRun::kClient nothing is sent, and the object is returned as it would be.
  base::Result<store::Object> Patch(const store::Resource& resource, const store::Object& object,
                                    const std::string& patch, DryRun dry_run);
  // An object that is gone already is no error.
  base::Result<void> Delete(const store::Resource& resource, const store::ObjectName& name,
                            DryRun dry_run);

 private:
  store::Outcome<store::Reply> Do(store::Call call);

  store::Store& store_;
  Options options_;
  std::vector<std::string> warnings_;
};

}  // namespace berth::ctl
