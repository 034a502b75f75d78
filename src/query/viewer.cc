#include "query/viewer.h"

namespace berth::query {
namespace {

// Names of namespaces have neither spaces nor semicolons.
void AppendNames(const Namespaces& namespaces, std::string& scope) {
  scope += ';';
  if (namespaces.is_all()) scope += '*';
  for (const std::string& name : namespaces.names()) scope += name + ' ';
}

}  // namespace

std::string Viewer::Scope() const {
  std::string scope;
  for (const bool sees : {sees_cluster_queues, sees_cohorts, sees_flavors})
    scope += sees ? '1' : '0';
  AppendNames(workloads, scope);
  AppendNames(local_queues, scope);
  return scope;
}

}  // namespace berth::query
