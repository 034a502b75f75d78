#include <algorithm>
#include <array>
#include <cctype>

#include "api/meta/problem_report.h"
#include "jobs/derive/derive.h"

namespace berth::jobs {
namespace {

struct Role {
  std::string_view name;
  std::string_view container;
};
constexpr Role kDriver{.name = "driver", .container = "spark-kubernetes-driver"};
constexpr Role kExecutor{.name = "executor", .container = "spark-kubernetes-executor"};

// Java's "2g" is "2Gi". Text without such a unit is unchanged.
std::string FromJavaMemory(std::string_view text) {
  struct Unit {
    std::string_view java;
    std::string_view ours;
  };
  constexpr std::array kUnits = {
      Unit{"kb", "Ki"}, Unit{"mb", "Mi"}, Unit{"gb", "Gi"}, Unit{"tb", "Ti"}, Unit{"pb", "Pi"},
      Unit{"k", "Ki"},  Unit{"m", "Mi"},  Unit{"g", "Gi"},  Unit{"t", "Ti"},  Unit{"p", "Pi"}};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Unit& unit : kUnits) {
    if (!lower.ends_with(unit.java)) continue;
    return lower.substr(0, lower.size() - unit.java.size()) + std::string(unit.ours);
  }
  return std::string(text);
}

// The template of a role, composed from the fields of spec.<role>.
class SparkTemplate {
 public:
  SparkTemplate(const json::value& job, const Role& role)
      : role_(role), fields_(json::FindAt(job, "spec." + std::string(role.name))) {}

  base::Result<api::PodTemplateSpec> Build() {
    static const json::value kNothing = json::object();
    if (fields_ == nullptr) fields_ = &kNothing;
    json::value pods = {{"metadata", json::object()},
                        {"spec", {{"containers", {{{"name", role_.container}}}}}}};
    CopyMetadata(pods);
    CopySpec(pods);
    auto built = ReadTemplate(pods, "spec." + std::string(role_.name));
    if (!built) return built;
    const auto set = SetResources(built->spec.containers.front().resources);
    if (!set) return std::unexpected(set.error());
    return built;
  }

 private:
  void CopyMetadata(json::value& pods) const {
    for (std::string_view field : {"labels", "annotations"}) {
      json::object all;
      for (const std::string& from :
           {"template.metadata." + std::string(field), std::string(field)}) {
        const json::value* given = json::FindAt(*fields_, from);
        if (given == nullptr || !given->is_object()) continue;
        for (const auto& member : given->get_object()) all[member.key()] = member.value();
      }
      if (!all.empty()) pods.at("metadata").get_object()[json::BoostView(field)] = all;
    }
  }

  void CopySpec(json::value& pods) const {
    json::object& spec = pods.at("spec").get_object();
    for (std::string_view field :
         {"nodeSelector", "affinity", "tolerations", "initContainers", "priorityClassName"}) {
      if (const json::value* given = json::FindAt(*fields_, field))
        spec[json::BoostView(field)] = *given;
    }
    const json::value* sidecars = json::FindAt(*fields_, "sidecars");
    if (sidecars == nullptr || !sidecars->is_array()) return;
    for (const json::value& sidecar : sidecars->get_array())
      spec["containers"].get_array().push_back(sidecar);
  }

  base::Result<void> SetAmount(std::string_view field, const std::string& text,
                               std::string_view resource, api::ResourceList& list) const {
    if (text.empty()) return {};
    const auto amount = quantity::Quantity::Parse(text);
    if (!amount) {
      return base::Fail("spec." + std::string(role_.name) + "." + std::string(field) + ": " +
                            api::Quoted(text) + " is not a quantity",
                        "write an amount such as 2 or 512m");
    }
    list.Set(resource, *amount);
    return {};
  }

  base::Result<void> SetResources(api::ResourceRequirements& resources) const {
    const auto text = [&](std::string_view field) { return json::TextAt(*fields_, field); };
    struct Amount {
      std::string_view field;
      std::string text;
      std::string_view resource;
      api::ResourceList* list;
    };
    const Amount amounts[] = {
        {"coreRequest", text("coreRequest"), "cpu", &resources.requests},
        {"coreLimit", text("coreLimit"), "cpu", &resources.limits},
        {"memory", FromJavaMemory(text("memory")), "memory", &resources.requests},
        {"memoryLimit", FromJavaMemory(text("memoryLimit")), "memory", &resources.limits},
    };
    for (const Amount& amount : amounts) {
      const auto set = SetAmount(amount.field, amount.text, amount.resource, *amount.list);
      if (!set) return set;
    }
    const std::string gpu = text("gpu.name");
    const int32_t count = json::IntAt(*fields_, "gpu.quantity").value_or(0);
    if (gpu.empty() || count <= 0) return {};
    return SetAmount("gpu.quantity", std::to_string(count), gpu, resources.limits);
  }

  const Role& role_;
  const json::value* fields_;
};

base::Result<JobPodSet> PodSetFor(const json::value& job, const Role& role, int32_t count,
                                  const PodSetOptions& options) {
  auto pods = SparkTemplate(job, role).Build();
  if (!pods) return std::unexpected(pods.error());
  const auto request = TopologyRequest(pods->metadata.annotations, {}, options);
  if (!request) return std::unexpected(request.error());
  JobPodSet set{.template_path = "spec." + std::string(role.name)};
  set.pod_set.name = role.name;
  set.pod_set.count = count;
  set.replicas = count;
  set.pod_set.topology_request = *request;
  set.pod_set.template_ = *std::move(pods);
  DropRepeatedVariables(set.pod_set.template_.spec);
  return set;
}

}  // namespace

base::Result<PodSetList> DeriveSparkApplication(const json::value& job,
                                                const PodSetOptions& options) {
  PodSetList sets;
  const int32_t executors = json::IntAt(job, "spec.executor.instances").value_or(0);
  for (const auto& [role, count] : {std::pair(&kDriver, 1), std::pair(&kExecutor, executors)}) {
    auto set = PodSetFor(job, *role, count, options);
    if (!set) return std::unexpected(set.error());
    sets.push_back(*std::move(set));
  }
  return sets;
}

}  // namespace berth::jobs
