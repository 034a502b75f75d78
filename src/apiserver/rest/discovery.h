#pragma once

// The discovery documents under /api and /apis.

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/rest/catalog.h"

namespace berth::apiserver {

// /api. `address` is host:port of this server.
std::string CoreVersionsDocument(const Catalog& catalog, std::string_view address);
// /apis.
std::string GroupsDocument(const Catalog& catalog);
// /apis/G. Nullopt for an unknown group.
std::optional<std::string> GroupDocument(const Catalog& catalog, std::string_view group);
// /api/V, /apis/G/V. Nullopt for an unknown version.
std::optional<std::string> ResourcesDocument(const Catalog& catalog, std::string_view group,
                                             std::string_view version);

// Aggregated discovery of the core group (/api) or of the others (/apis). `version` is that of
// apidiscovery.k8s.io: v2 or v2beta1.
std::string AggregatedDocument(const Catalog& catalog, bool is_core, std::string_view version);
// The Content-Type that identifies aggregated discovery.
std::string AggregatedContentType(std::string_view version);

}  // namespace berth::apiserver
