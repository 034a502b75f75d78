#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ctl/cluster.h"
#include "store/resource.h"

namespace berth::ctl {

// A kind and the words by which users name it.
struct NamedKind {
  store::Resource resource;
  std::string singular;
  std::vector<std::string> short_names;
};

// The kinds that Berth knows: its own, those of Kubernetes that it reads, and the job kinds.
std::span<const NamedKind> KnownKinds();

// A kind by the word of a user, "job", "Jobs", "kwl", "jobs.batch", "jobs.v1.batch"; null if it is
// none of the known ones.
const NamedKind* FindKnownKind(std::string_view word);
// By the fields of an owner reference, in any version.
const NamedKind* FindKnownKind(std::string_view api_version, std::string_view kind);

// The kind of an owner reference; the server is asked about one that is not known.
base::Result<NamedKind> FindOwnerKind(Cluster& cluster, const std::string& api_version,
                                      const std::string& kind);

// "TYPE[.VERSION][.GROUP]/NAME" of --for.
struct ForObject {
  NamedKind kind;
  std::string name;
};
// A type that is not known must name its version and group, and the server is asked.
base::Result<ForObject> ReadForObject(Cluster& cluster, const std::string& text);

}  // namespace berth::ctl
