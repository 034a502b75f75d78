#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// The names of Workloads. Kueue gives the same ones, so that either controller finds what the other
// has made.
namespace berth::workload {

// The longest name: that of an object, or with the gate ShortWorkloadNames that of a label value.
inline constexpr size_t kMaxWorkloadName = 253;
inline constexpr size_t kMaxShortWorkloadName = 63;

struct Owner {
  std::string_view group;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
};

// `<kind in lower case>-<name>`, cut to leave room, then `-` and five hexadecimal digits that tell
// owners apart: of the SHA-1 of kind, group, name, uid and, unless it is empty, `extra`, each on
// its own line. For elastic jobs `extra` is the generation.
std::string WorkloadName(const Owner& owner, size_t max_length, std::string_view extra = {});

// One of the Workloads that compete for the flavors of `parent`, which is the name of a Workload:
// its last part, after the last '-', becomes `variant-<flavor>` and five digits. The owner is that
// of the parent, and its name is not used.
std::string VariantWorkloadName(std::string_view parent, const Owner& owner,
                                std::string_view flavor, size_t max_length);

// The name of the Workload of one group of a LeaderWorkerSet: that of an owner `<name>-<index>`.
std::string LeaderWorkerSetWorkloadName(std::string_view name, std::string_view uid,
                                        std::string_view group_index, size_t max_length);

}  // namespace berth::workload
