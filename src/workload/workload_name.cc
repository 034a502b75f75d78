#include "workload/workload_name.h"

#include "base/sha1.h"
#include "base/text.h"

namespace berth::workload {
namespace {

constexpr size_t kDigits = 5;

std::string Digits(const Owner& owner, std::string_view extra) {
  std::string text(owner.kind);
  for (std::string_view part : {owner.group, owner.name, owner.uid}) text.append("\n").append(part);
  if (!extra.empty()) text.append("\n").append(extra);
  return base::Sha1Hex(text).substr(0, kDigits);
}

std::string Named(std::string_view beginning, const Owner& owner, std::string_view extra,
                  size_t max_length) {
  const std::string_view cut = beginning.substr(0, max_length - kDigits - 1);
  return std::string(cut) + "-" + Digits(owner, extra);
}

}  // namespace

std::string WorkloadName(const Owner& owner, size_t max_length, std::string_view extra) {
  return Named(base::LowerCase(owner.kind) + "-" + std::string(owner.name), owner, extra,
               max_length);
}

std::string VariantWorkloadName(std::string_view parent, const Owner& owner,
                                std::string_view flavor, size_t max_length) {
  const std::string beginning =
      std::string(parent.substr(0, parent.rfind('-'))) + "-variant-" + std::string(flavor);
  return Named(beginning, {owner.group, owner.kind, parent, owner.uid}, flavor, max_length);
}

std::string LeaderWorkerSetWorkloadName(std::string_view name, std::string_view uid,
                                        std::string_view group_index, size_t max_length) {
  const std::string group_name = std::string(name) + "-" + std::string(group_index);
  return WorkloadName({.group = "leaderworkerset.x-k8s.io",
                       .kind = "LeaderWorkerSet",
                       .name = group_name,
                       .uid = uid},
                      max_length);
}

}  // namespace berth::workload
