#include "control/placement/node_failure_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "control/testing/writer_test.h"
#include "schema/encode.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The Workloads team/a on n1 and n2, and team/b on n3; all nodes are ready.
class NodeFailureControllerTest : public testing::WriterTest {
 protected:
  NodeFailureControllerTest() {
    controller_.AddHandlers(handlers_);
    for (const char* node : {"n1", "n2", "n3"}) SetReady(node, "True");
    Place("a", {"n1", "n2"});
    Place("b", {"n3"});
    Plan();
    enqueued_ = 0;
  }

  void SetReady(const std::string& name, std::string status) {
    api::Object object(api::Node::KindInfo());
    api::Node& node = *object.As<api::Node>();
    node.metadata.name = name;
    node.metadata.resource_version = std::to_string(++version_);
    node.status.conditions.push_back(
        {.type = "Ready", .status = std::move(status), .last_transition_time = executor_.Now()});
    handlers_.OnUpsert(object);
  }
  void DeleteNode(std::string_view name) { handlers_.OnDelete(api::Node::KindInfo(), "", name); }

  api::Workload PlacedOn(const std::string& name, const std::vector<std::string>& nodes,
                         std::vector<api::UnhealthyNode> unhealthy = {}) {
    std::vector<api::TopologyDomain> domains;
    for (const std::string& node : nodes) domains.push_back({.values = {node}, .count = 1});
    api::Workload workload;
    workload.metadata = {.name = name, .namespace_ = "team", .uid = name};
    workload.metadata.resource_version = std::to_string(++version_);
    workload.spec.pod_sets = {{.name = "main"}};
    api::Admission admission{.cluster_queue = "cq"};
    admission.pod_set_assignments.push_back({.name = "main",
                                             .topology_assignment = api::PackTopologyAssignment(
                                                 {std::string(api::kHostnameLabel)}, domains)});
    workload::MarkReserved(workload, admission, executor_.Now());
    workload.status.unhealthy_nodes = std::move(unhealthy);
    return workload;
  }
  void Place(const std::string& name, const std::vector<std::string>& nodes,
             std::vector<api::UnhealthyNode> unhealthy = {}) {
    Apply(PlacedOn(name, nodes, std::move(unhealthy)));
  }
  void Apply(const api::Workload& workload) {
    cluster_.Apply(workload);
    controller_.OnWorkload(workload);
  }

  // A pod of team/a.
  store::Object PodWith(const std::string& spec) {
    return *store::Object::FromJson(
        R"({"metadata": {"name": "p", "namespace": "team", "uid": "p", "resourceVersion": ")" +
        std::to_string(++version_) + R"(",
            "annotations": {"kueue.x-k8s.io/workload": "a",
                            "kueue.x-k8s.io/podset-required-topology": "rack"},
            "labels": {"kueue.x-k8s.io/podset": "main"}},
            "spec": {)" +
        spec + R"(}, "status": {"phase": "Pending"}})");
  }
  void SetPod(const std::string& spec) {
    const store::Object pod = PodWith(spec);
    controller_.OnPodChange(pod.key(), pods_.OnPodChange({.after = &pod}));
  }

  // The bodies of the writes that follow.
  std::vector<std::string> Plan() {
    store_.calls.clear();
    controller_.Plan(executor_.Now());
    std::vector<std::string> bodies;
    for (const store::Call& call : store_.calls)
      if (const auto* patch = std::get_if<store::Patch>(&call)) bodies.push_back(patch->body);
    return bodies;
  }

  int version_ = 0;
  int enqueued_ = 0;
  JobPolicy policy_;
  jobs::ManagedJobsPolicy managed_{api::Configuration(), api::FeatureGates(), {}};
  jobs::PriorityTable priorities_;
  WorkloadOwners owners_;
  PlacedPods pods_{false, [this](const auto& owners) { controller_.OnPodsOf(owners); }};
  workload::ObjectHandlers handlers_;
  NodeFailurePolicy failures_{.limits_not_ready = true};
  NodeFailureController controller_{
      store_,
      executor_,
      {.cluster = cluster_,
       .workloads = workloads_,
       .owners = owners_,
       .events = events_,
       .policy = policy_,
       .managed = managed_,
       .priorities = priorities_},
      pods_,
      failures_,
      {.on_enqueued = [this] { ++enqueued_; }, .log = [](std::string_view) {}}};
};

TEST_F(NodeFailureControllerTest, ListsAFailedNodeInOneWrite) {
  DeleteNode("n2");
  EXPECT_THAT(Plan(), ElementsAre(HasSubstr(R"("unhealthyNodes":[{"name":"n2"}])")));
  EXPECT_THAT(Plan(), IsEmpty()) << "while it is being written";
}

TEST_F(NodeFailureControllerTest, EnqueuesOnlyTheWorkloadsOnANodeThatChanges) {
  SetReady("n2", "True");
  EXPECT_EQ(enqueued_, 0) << "a heartbeat";
  SetReady("n4", "True");
  EXPECT_EQ(enqueued_, 0) << "a node without workloads";
  SetReady("n3", "False");
  EXPECT_EQ(enqueued_, 1);
  EXPECT_THAT(Plan(), ElementsAre(HasSubstr("n3")));
}

TEST_F(NodeFailureControllerTest, ForgetsTheNodesThatAWorkloadLeaves) {
  Place("a", {"n3"});
  Plan();
  enqueued_ = 0;
  DeleteNode("n1");
  EXPECT_EQ(enqueued_, 0);
  DeleteNode("n3");
  EXPECT_EQ(enqueued_, 2);
}

TEST_F(NodeFailureControllerTest, ReportsANodeThatTheSchedulerKeepsOnceUntilItRecovers) {
  DeleteNode("n3");
  Place("b", {"n3"}, {{.name = "n3"}});
  Place("b", {"n3"});
  EXPECT_THAT(Plan(), IsEmpty());
  SetReady("n3", "True");
  EXPECT_THAT(Plan(), IsEmpty());
  DeleteNode("n3");
  EXPECT_EQ(Plan().size(), 1);
}

// As after a restart: the list is all that is known of the report.
TEST_F(NodeFailureControllerTest, ReportsAListedNodeOnceAcrossARestart) {
  DeleteNode("n2");
  Place("c", {"n2"}, {{.name = "n2"}});
  Plan();
  Place("c", {"n2"});
  EXPECT_THAT(Plan(), IsEmpty());
}

TEST_F(NodeFailureControllerTest, ReportsANodeThatFailsAgainWhileItsRecoveryIsBeingWritten) {
  Place("b", {"n3"}, {{.name = "n3"}});
  EXPECT_THAT(Plan(), ElementsAre(HasSubstr(R"("unhealthyNodes":null)")));
  DeleteNode("n3");
  controller_.OnWorkload(*cluster_.FindWorkload("team/b"));  // as before the write
  const api::Workload written = PlacedOn("b", {"n3"});
  store_.Answer(store::Reply{.object = *store::Object::FromJson(schema::Encode(written))});
  Apply(written);
  EXPECT_THAT(Plan(), ElementsAre(HasSubstr("n3")));
}

TEST_F(NodeFailureControllerTest, LooksAgainWhenTheTimeOfANodeIsOver) {
  SetPod(R"("nodeName": "n1")");
  SetReady("n1", "False");
  EXPECT_THAT(Plan(), IsEmpty());
  enqueued_ = 0;
  executor_.Advance(base::Duration::Seconds(30));
  EXPECT_EQ(enqueued_, 1);
  EXPECT_THAT(Plan(), ElementsAre(HasSubstr("n1")));
}

TEST_F(NodeFailureControllerTest, SetsAPodToFailedThatCannotStart) {
  SetPod(R"("nodeSelector": {"kubernetes.io/hostname": "n1"})");
  EXPECT_THAT(Plan(), IsEmpty());
  SetPod(R"("nodeSelector": {"kubernetes.io/hostname": "n3"})");
  EXPECT_THAT(Plan(), ElementsAre(AllOf(HasSubstr(R"("phase":"Failed")"),
                                        HasSubstr(R"("reason":"UnschedulableOnAssignedNode")"))));
  EXPECT_THAT(Plan(), IsEmpty()) << "while it is being written";
}

// As the ungating of a pod tells; the watch only repeats it.
TEST_F(NodeFailureControllerTest, LearnsOfAPodFromTheAnswerToAnotherWriter) {
  pods_.OnWritten(PodWith(R"("nodeSelector": {"kubernetes.io/hostname": "n3"})"));
  EXPECT_THAT(Plan(), ElementsAre(HasSubstr(R"("phase":"Failed")")));
}

}  // namespace
}  // namespace berth::control
