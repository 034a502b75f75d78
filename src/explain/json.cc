#include "explain/json.h"

#include "explain/enum_names.h"
#include "explain/sentences.h"
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
      w_.Member("reason", WordFor(report_.absence));
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
    WriteUndeclared();
    WritePreemption();
    if (!e_.blocked_options.empty()) WriteBlockedOptions();
    WriteLine();
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
      w_.Member("resource", s.resource).Member("why", WordFor(s.why));
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
      w_.EndArray().EndObject();
    }
    w_.EndArray();
  }

  void WriteObstacles() {
    w_.Key("obstacles").BeginArray();
    for (const engine::Obstacle obstacle : e_.obstacles) {
      w_.BeginObject();
      w_.Member("type", WordFor(obstacle));
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
      w_.Member("mismatch", WordFor(*step.mismatch));
      w_.Member("message", MismatchText(report_, step));
    }
    if (step.is_tried) {
      w_.Member("mode", WordFor(step.mode));
      w_.Member("then", WordFor(step.next));
    }
    w_.Key("resources").BeginArray();
    for (const engine::ResourceFigures& figures : step.resources) WriteFigures(figures);
    w_.EndArray().EndObject();
  }

  void WriteFigures(const engine::ResourceFigures& f) {
    w_.BeginObject();
    w_.Member("resource", report_.ResourceName(f.resource));
    w_.Member("mode", WordFor(f.mode));
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
    if (f.barred_by.any()) Constraints("barredBy", f.barred_by);
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
    w_.Member("attempt", WordFor(e_.preemption.attempt));
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
      w_.Member("standing", WordFor(group.status));
      w_.Member("clusterQueue", report_.NodeName(group.queue));
      w_.Member("count", group.count);
      Strings("workloads", report_.WorkloadNames(group.first));
      w_.EndObject();
    }
    w_.EndArray();
    WriteTargets("victims", e_.targets);
    w_.EndObject();
  }

  void WriteBlockedOptions() {
    w_.Key("forbiddenWays").BeginArray();
    for (const engine::BlockedOption& way : e_.blocked_options) {
      w_.BeginObject();
      Constraints("forbiddenBy", way.forbidden_by);
      w_.Member("open", way.is_open);
      w_.Key("borrows").BeginArray();
      for (const engine::BorrowedAmount& b : way.borrowed) {
        w_.BeginObject();
        w_.Member("flavor", report_.FlavorName(b.flavor));
        w_.Member("resource", report_.ResourceName(b.resource));
        AmountMember("amount", b.resource, b.amount);
        w_.EndObject();
      }
      w_.EndArray();
      WriteTargets("preempts", way.targets);
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

  void WriteLine() {
    const engine::QueuePosition& line = e_.position;
    w_.Key("line").BeginObject();
    w_.Member("ahead", line.ahead_count).Member("length", line.length);
    w_.Member("turn", WordFor(line.turn)).Member("parked", line.is_inadmissible);
    if (!line.blocked_by.is_none()) w_.Member("blockedBy", report_.WorkloadName(line.blocked_by));
    Strings("workloads", report_.WorkloadNames(line.ahead));
    w_.EndObject();
  }

  void WriteRemedies() {
    w_.Key("remedies").BeginArray();
    for (const engine::Remedy& remedy : e_.remedies) WriteRemedy(remedy);
    w_.EndArray().Member("remediesComplete", e_.are_remedies_complete);
  }

  void WriteRemedy(const engine::Remedy& remedy) {
    w_.BeginObject();
    w_.Member("type", WordFor(remedy.kind)).Member("message", RemedyText(report_, remedy));
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
    if (remedy.kind == engine::RemedyKind::kSuitFlavor)
      w_.Member("flavor", report_.FlavorName(remedy.flavor))
          .Member("mismatch", WordFor(remedy.mismatch));
    if (!remedy.resources.empty()) {
      std::vector<std::string> names;
      for (const engine::ResourceId r : remedy.resources) names.push_back(report_.ResourceName(r));
      Strings("resources", names);
    }
    if (remedy.constraints.any()) Constraints("constraints", remedy.constraints);
    w_.EndObject();
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
