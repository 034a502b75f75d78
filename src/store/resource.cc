#include "store/resource.h"

namespace berth::store {

std::string Resource::ApiVersion() const { return group.empty() ? version : group + "/" + version; }

std::string Resource::GroupResource() const {
  return group.empty() ? plural : plural + "." + group;
}

Resource ResourceOf(const schema::Kind& kind) {
  return {.group = std::string(kind.group),
          .version = std::string(kind.version),
          .plural = std::string(kind.plural),
          .kind = std::string(kind.kind),
          .is_namespaced = kind.is_namespaced};
}

}  // namespace berth::store
