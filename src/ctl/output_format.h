#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ctl/dry_run.h"
#include "ctl/json_path.h"
#include "store/object.h"
#include "store/resource.h"

namespace berth::ctl {

// -o, --output, as kubectl understands it.
struct OutputFormat {
  enum class Kind : uint8_t { kText, kWide, kName, kJson, kYaml, kJsonPath };
  Kind kind = Kind::kText;
  std::optional<JsonPath> path;       // of kJsonPath
  bool shows_managed_fields = false;  // --show-managed-fields

  // "" is text. `jsonpath=TEMPLATE` and `jsonpath-as-json` need their template.
  static base::Result<OutputFormat> Parse(std::string_view text);

  // A table for people; the other formats print objects.
  bool is_table() const { return kind == Kind::kText || kind == Kind::kWide; }
};

// One object. As text that is "clusterqueue.kueue.x-k8s.io/a created (server dry run)"; `operation`
// may be "".
std::string PrintObject(const store::Object& object, const store::Resource& resource,
                        const OutputFormat& format, std::string_view operation, DryRun dry_run);

// A list in a format that is no table: a List of the kind with its objects.
std::string PrintList(std::span<const store::Object> objects, const store::Resource& resource,
                      const OutputFormat& format);

// "clusterqueue.kueue.x-k8s.io", "job.batch", "pod".
std::string NamePrefix(const store::Resource& resource);

}  // namespace berth::ctl
