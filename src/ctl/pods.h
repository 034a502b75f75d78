#pragma once

// The pods of `list pods --for TYPE/NAME`.

#include <span>
#include <string>

#include "base/error.h"
#include "base/time.h"
#include "ctl/text_table.h"
#include "json/json.h"
#include "store/call.h"
#include "store/object.h"
#include "store/resource.h"

namespace berth::ctl {

// What selects the pods of a job: labels that its controller sets, or the selector in its spec. A
// pod stands for its group, or for itself. The namespace is left empty.
base::Result<store::Selection> PodsOf(const store::Resource& kind, const json::value& job);

// Both selectors; one of them may be "".
std::string BothSelectors(const std::string& a, const std::string& b);

// The columns of `kubectl get pods`.
TextTable PodTable(std::span<const store::Object> pods, bool has_namespace, base::Time now);

}  // namespace berth::ctl
