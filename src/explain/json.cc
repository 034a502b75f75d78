#include "explain/json.h"

#include "explain/enum_names.h"
#include "explain/sentences.h"
#include "explain/topology_sentences.h"
#include "schema/json/writer.h"
#include "workload/constraint_message.h"
#include "workload/convert/convert_admission.h"

namespace berth::explain {
namespace {

class Writer {
 public:
  explicit Writer(const Report& report) : report_(report), e_(report.explanation) {}

  std::string Write() {
    w_.BeginObject();
    w_.Member("workload", report_.Name()).Member("status", StatusOf(report_));
    if (report_.absence != Absence::kNone) {
      w_.Member("reason", EnumName(report_.absence));
    } else if (e_.reason != engine::WaitReason::kNone) {
      w_.Member("reason", workload::ReasonOf(e_.reason));
    }
    w_.Member("localQueue", report_.LocalQueueName())
        .Member("clusterQueue", report_.ClusterQueueName())
        .Member("priority", report_.workload->spec.priority.value_or(0));
    Strings("messages", PendingReasons(report_));
    if (e_.constraints.any()) Constraints("constraints", e_.constraints);
    if (report_.absence == Absence::kNone) WriteExplanation();
    w_.EndObject();
    return w_.Take() + "\n";
  }

 private:
  void WriteExplanation() {
    WriteDevices();
    WriteNotCounted();
    if (e_.is_reserved) {
      WriteAssignments("holds", e_.held, true);
      return;
    }
    WriteObstacles();
    WriteSearches();
    if (!e_.topologies.empty()) WriteTopologies();
    WriteUndeclared();
    WritePreemption();
    if (!e_.blocked_options.empty()) WriteBlockedOptions();
    WritePosition();
    if (!e_.offered.empty()) WriteAssignments("gets", e_.offered, false);
    WriteRemedies();
  }

  void WriteDevices() {
    if (report_.counted.devices.empty() || e_.is_reserved) return;
    w_.Key("devices").BeginArray();
    for (const workload::CountedDevices& d : report_.counted.devices) {
      w_.BeginObject();
      w_.Member("podSet", d.pod_set).Member("claim", d.claim).Member("deviceClass", d.device_class);
      w_.Member("resource", d.resource);
      w_.Member("amount", report_.amounts.RequestText(d.resource, d.amount));
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WriteNotCounted() {
    const std::vector<workload::SkippedResource> skipped = NotCounted(report_);
    if (skipped.empty()) return;
    w_.Key("notCounted").BeginArray();
    for (const workload::SkippedResource& s : skipped) {
      w_.BeginObject();
      w_.Member("resource", s.resource).Member("why", EnumName(s.why));
      if (!s.prefix.empty()) w_.Member("prefix", s.prefix);
      w_.Member("message", ToString(s, report_.ClusterQueueName()));
      w_.EndObject();
    }
    w_.EndArray();
  }

  void Strings(std::string_view key, const std::vector<std::string>& values) {
    w_.Key(key).BeginArray();
    for (const std::string& value : values) w_.Value(std::string_view(value));
    w_.EndArray();
  }

  void Constraints(std::string_view key, engine::AdmissionConstraints constraints) {
    w_.Key(key).BeginArray();
    for (const std::string_view name : workload::ConstraintNames(constraints)) w_.Value(name);
    w_.EndArray();
  }

  void AmountMember(std::string_view key, engine::ResourceId resource, engine::Amount amount) {
    w_.Member(key, report_.AmountText(resource, amount));
  }

  void WriteAssignments(std::string_view key, const std::vector<engine::PodSetAssignment>& given,
                        bool is_held) {
    w_.Key(key).BeginArray();
    for (uint32_t i = 0; i < given.size(); ++i) {
      w_.BeginObject();
      w_.Member("podSet", is_held ? report_.HeldPodSetName(i) : report_.PodSetName(i));
      w_.Member("count", given[i].count);
      w_.Key("resources").BeginArray();
      for (const engine::ResourceAssignment& r : given[i].resources) {
        w_.BeginObject();
        w_.Member("resource", report_.ResourceName(r.resource));
        w_.Member("flavor", report_.FlavorName(r.flavor));
        AmountMember("amount", r.resource, engine::Amount(r.amount));
        w_.EndObject();
      }
      w_.EndArray();
      if (given[i].has_delayed_topology) w_.Member("delayed", true);
      if (!given[i].domains.empty()) WritePlacement(given[i].domains);
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WritePlacement(const std::vector<engine::DomainPods>& domains) {
    w_.Key("placement").BeginArray();
    for (const engine::DomainPods& pods : domains) {
      w_.BeginObject();
      Strings("domain", report_.engine().DomainValues(pods.path));
      w_.Member("pods", pods.count);
      w_.EndObject();
    }
    w_.EndArray();
  }

  // --- Topologies --------------------------------------------------------------------------------

  void WriteTopologies() {
    w_.Key("topologies").BeginArray();
    for (const engine::TopologySearch& search : e_.topologies) {
      w_.BeginObject();
      std::vector<std::string> names;
      for (const uint32_t pod_set : search.pod_sets) names.push_back(report_.PodSetName(pod_set));
      Strings("podSets", names);
      w_.Member("flavor", report_.FlavorName(search.flavor)).Member("chosen", search.is_chosen);
      w_.Member("delayed", search.is_delayed);
      if (!search.is_delayed) WriteRoom(search.room);
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WriteRoom(const engine::TopologyRoom& room) {
    w_.Member("request", EnumName(room.kind)).Member("valid", room.is_valid);
    WriteNodes(room);
    if (!room.is_valid) return;
    w_.Member("level", room.levels[room.level].level);
    w_.Member("sliceLevel", room.levels[room.slice_level].level);
    w_.Member("sliceSize", room.slice_size);
    w_.Member("fits", room.fits).Member("fitsIfEmpty", room.fits_if_empty);
    w_.Member("needed", room.needed).Member("fitting", room.fitting);
    w_.Member("fittingIfEmpty", room.fitting_if_empty);
    w_.Key("levels").BeginArray();
    for (const engine::LevelRoom& level : room.levels) WriteLevel(level);
    w_.EndArray();
  }

  void WriteNodes(const engine::TopologyRoom& room) {
    w_.Key("nodes").BeginObject();
    w_.Member("total", room.nodes.total).Member("unusable", room.nodes.unusable);
    w_.Member("withoutLevel", room.nodes.without_level);
    w_.Member("sameHostname", room.nodes.same_hostname).Member("tainted", room.excluded.tainted);
    w_.Member("notSelected", room.excluded.by_selector);
    w_.Member("notInAffinity", room.excluded.by_affinity);
    w_.Key("full").BeginArray();
    for (const auto& [resource, count] : room.full) {
      w_.BeginObject();
      w_.Member("scarcest", report_.ResourceName(resource)).Member("count", count);
      w_.EndObject();
    }
    w_.EndArray().EndObject();
  }

  void WriteLevel(const engine::LevelRoom& level) {
    w_.BeginObject();
    w_.Member("level", level.level).Member("domainCount", level.domains);
    w_.Member("largest", level.largest).Member("largestIfPacked", level.largest_if_packed);
    w_.Member("fragmentationPercent", level.fragmentation());
    w_.Key("domains").BeginArray();
    for (const engine::DomainRoom& domain : level.best) {
      w_.BeginObject();
      Strings("domain", domain.path);
      w_.Member("nodes", domain.nodes).Member("pods", domain.pods);
      w_.Member("slices", domain.slices);
      w_.Member("scarcest", report_.ResourceName(domain.scarcest));
      WriteAmounts("free", domain.free);
      w_.EndObject();
    }
    w_.EndArray().EndObject();
  }

  void WriteAmounts(std::string_view key, const std::vector<engine::Request>& amounts) {
    w_.Key(key).BeginArray();
    for (const engine::Request& r : amounts) {
      w_.BeginObject();
      w_.Member("resource", report_.ResourceName(r.resource));
      AmountMember("amount", r.resource, engine::Amount(r.amount));
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WriteObstacles() {
    w_.Key("obstacles").BeginArray();
    for (const engine::Obstacle obstacle : e_.obstacles) {
      w_.BeginObject();
      w_.Member("type", EnumName(obstacle));
      w_.Member("remedy", ObstacleRemedyText(report_, obstacle));
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WriteSearches() {
    w_.Key("searches").BeginArray();
    for (const engine::FlavorSearch& search : e_.searches) {
      w_.BeginObject();
      std::vector<std::string> names;
      for (const uint32_t pod_set : search.pod_sets) names.push_back(report_.PodSetName(pod_set));
      Strings("podSets", names);
      w_.Key("flavors").BeginArray();
      for (const engine::FlavorStep& step : search.flavors) WriteStep(step);
      w_.EndArray().EndObject();
    }
    w_.EndArray();
  }

  void WriteStep(const engine::FlavorStep& step) {
    w_.BeginObject();
    w_.Member("flavor", report_.FlavorName(step.flavor));
    w_.Member("tried", step.is_tried);
    w_.Member("chosen", step.is_chosen);
    if (step.mismatch) {
      w_.Member("mismatch", EnumName(*step.mismatch));
      w_.Member("message", MismatchText(report_, step));
    }
    if (step.is_tried) {
      w_.Member("mode", EnumName(step.mode));
      w_.Member("then", EnumName(step.next));
    }
    w_.Key("resources").BeginArray();
    for (const engine::ResourceFigures& figures : step.resources) WriteFigures(figures);
    w_.EndArray().EndObject();
  }

  void WriteFigures(const engine::ResourceFigures& f) {
    w_.BeginObject();
    w_.Member("resource", report_.ResourceName(f.resource));
    w_.Member("mode", EnumName(f.mode));
    if (f.reason != engine::WaitReason::kNone) w_.Member("reason", workload::ReasonOf(f.reason));
    AmountMember("requested", f.resource, f.requested);
    AmountMember("assumed", f.resource, f.assumed);
    AmountMember("available", f.resource, f.available);
    AmountMember("shortfall", f.resource, f.shortfall);
    AmountMember("nominal", f.resource, f.nominal);
    AmountMember("used", f.resource, f.used);
    AmountMember("borrowable", f.resource, f.borrowable);
    AmountMember("potential", f.resource, f.potential);
    w_.Member("borrowingHeight", f.borrowing_height);
    if (f.blocked_by.any()) Constraints("blockedBy", f.blocked_by);
    w_.EndObject();
  }

  void WriteUndeclared() {
    w_.Key("undeclared").BeginArray();
    for (const engine::UndeclaredRequest& u : e_.undeclared) {
      w_.BeginObject();
      w_.Member("podSet", report_.PodSetName(u.pod_set));
      w_.Member("resource", report_.ResourceName(u.resource));
      AmountMember("requested", u.resource, engine::Amount(u.amount));
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WritePreemption() {
    const engine::QuotaForest& forest = report_.engine().state().forest;
    w_.Key("preemption").BeginObject();
    w_.Member("attempt", EnumName(e_.preemption.attempt));
    w_.Key("shortOf").BeginArray();
    for (const engine::FlavorResourceId pair : e_.preemption.short_of) {
      w_.BeginObject();
      w_.Member("flavor", report_.FlavorName(forest.FlavorOf(pair)));
      w_.Member("resource", report_.ResourceName(forest.ResourceOf(pair)));
      w_.EndObject();
    }
    w_.EndArray().Key("candidates").BeginArray();
    for (const engine::CandidateGroup& group : e_.preemption.groups) {
      w_.BeginObject();
      w_.Member("status", EnumName(group.status));
      w_.Member("clusterQueue", report_.NodeName(group.queue));
      w_.Member("count", group.count);
      Strings("workloads", report_.WorkloadNames(group.first));
      w_.EndObject();
    }
    w_.EndArray();
    WriteTargets("targets", e_.targets);
    w_.EndObject();
  }

  void WriteBlockedOptions() {
    w_.Key("blockedOptions").BeginArray();
    for (const engine::BlockedOption& option : e_.blocked_options) {
      w_.BeginObject();
      Constraints("blockedBy", option.blocked_by);
      w_.Member("available", option.is_available);
      w_.Key("borrows").BeginArray();
      for (const engine::BorrowedAmount& b : option.borrowed) {
        w_.BeginObject();
        w_.Member("flavor", report_.FlavorName(b.flavor));
        w_.Member("resource", report_.ResourceName(b.resource));
        AmountMember("amount", b.resource, b.amount);
        w_.EndObject();
      }
      w_.EndArray();
      WriteTargets("preempts", option.targets);
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WriteTargets(std::string_view key, const std::vector<engine::PreemptionTarget>& targets) {
    w_.Key(key).BeginArray();
    for (const engine::PreemptionTarget& target : targets) {
      w_.BeginObject();
      w_.Member("workload", report_.WorkloadName(target.workload));
      w_.Member("reason", workload::ReasonOf(target.reason));
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WritePosition() {
    const engine::QueuePosition& position = e_.position;
    w_.Key("position").BeginObject();
    w_.Member("ahead", position.ahead_count).Member("length", position.length);
    w_.Member("status", EnumName(position.status)).Member("inadmissible", position.is_inadmissible);
    if (!position.blocked_by.is_none())
      w_.Member("blockedBy", report_.WorkloadName(position.blocked_by));
    Strings("workloads", report_.WorkloadNames(position.ahead));
    w_.EndObject();
  }

  void WriteRemedies() {
    w_.Key("remedies").BeginArray();
    for (const engine::Remedy& remedy : e_.remedies) WriteRemedy(remedy);
    w_.EndArray().Member("remediesComplete", e_.are_remedies_complete);
  }

  void WriteRemedy(const engine::Remedy& remedy) {
    w_.BeginObject();
    w_.Member("type", EnumName(remedy.kind)).Member("message", RemedyText(report_, remedy));
    if (!remedy.raises.empty()) {
      w_.Member(report_.IsClusterQueue(remedy.node) ? "clusterQueue" : "cohort",
                report_.NodeName(remedy.node));
      w_.Key("changes").BeginArray();
      for (const engine::QuotaRaise& raise : remedy.raises) WriteRaise(raise);
      w_.EndArray();
    }
    if (!remedy.workloads.empty()) {
      Strings("workloads", report_.WorkloadNames(remedy.workloads));
      w_.Member("workloadCount", remedy.workload_count);
    }
    if (remedy.kind == engine::RemedyKind::kFewerPods)
      w_.Member("podSet", report_.PodSetName(remedy.pod_set)).Member("count", remedy.pod_count);
    if (remedy.kind == engine::RemedyKind::kMatchFlavor)
      w_.Member("flavor", report_.FlavorName(remedy.flavor))
          .Member("mismatch", EnumName(remedy.mismatch));
    if (!remedy.resources.empty()) {
      std::vector<std::string> names;
      for (const engine::ResourceId r : remedy.resources) names.push_back(report_.ResourceName(r));
      Strings("resources", names);
    }
    if (remedy.constraints.any()) Constraints("constraints", remedy.constraints);
    WriteTopologyChange(remedy);
    w_.EndObject();
  }

  void WriteTopologyChange(const engine::Remedy& remedy) {
    const engine::TopologyChange& change = remedy.topology;
    const bool has_change = remedy.kind >= engine::RemedyKind::kWiderLevel;
    if (!has_change) return;
    w_.Member("podSet", report_.PodSetName(remedy.pod_set));
    w_.Member("flavor", report_.FlavorName(remedy.flavor));
    if (!change.level.empty()) w_.Member("level", change.level);
    if (change.slice_size > 0) w_.Member("sliceSize", change.slice_size);
    if (change.node_count > 0) {
      w_.Member("nodeCount", change.node_count).Member("nodeLike", change.node_like);
      Strings("domain", change.beside);
    }
    if (change.room.empty()) return;
    w_.Key("room").BeginArray();
    for (const engine::FreedRoom& room : change.room) {
      w_.BeginObject();
      Strings("domain", room.path);
      w_.Member("pods", room.pods);
      WriteAmounts("free", room.amounts);
      w_.EndObject();
    }
    w_.EndArray();
  }

  void WriteRaise(const engine::QuotaRaise& raise) {
    w_.BeginObject();
    w_.Member("flavor", report_.FlavorName(raise.flavor));
    w_.Member("resource", report_.ResourceName(raise.resource));
    AmountMember("from", raise.resource, raise.from);
    AmountMember("to", raise.resource, raise.to);
    AmountMember("by", raise.resource, raise.to - raise.from);
    w_.EndObject();
  }

  const Report& report_;
  const engine::Explanation& e_;
  schema::JsonWriter w_;
};

}  // namespace

std::string ToJson(const Report& report) { return Writer(report).Write(); }

}  // namespace berth::explain
