#include "api/meta/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "api/batch/job.h"
#include "api/core/events_v1_event.h"
#include "api/dra/resource_claim.h"

namespace berth::api {
namespace {

TEST(Registry, FindsAKindByApiVersionAndKind) {
  EXPECT_EQ(FindKind("batch/v1", "Job").kind, &Job::KindInfo());
  EXPECT_EQ(FindKind("v1", "Namespace").kind->plural, "namespaces");
  EXPECT_FALSE(FindKind("batch/v1", "Jobs"));
  EXPECT_FALSE(FindKind("batch/v2", "Job"));
  EXPECT_FALSE(FindKind("v1", "Job"));
  EXPECT_FALSE(FindKind("", ""));
}

TEST(Registry, RecognizesPreviousVersions) {
  EXPECT_FALSE(FindKind("resource.k8s.io/v1", "ResourceClaim").is_previous);
  for (const char* version : {"v1beta2", "v1beta1", "v1alpha3"}) {
    const FoundKind found = FindKind(std::string("resource.k8s.io/") + version, "ResourceClaim");
    EXPECT_EQ(found.kind, &ResourceClaim::KindInfo()) << version;
    EXPECT_TRUE(found.is_previous) << version;
  }
  EXPECT_FALSE(FindKind("resource.k8s.io/v1alpha2", "ResourceClaim"));
}

TEST(Registry, FindsAKindByItsUrl) {
  EXPECT_EQ(FindResource("batch", "v1", "jobs").kind, &Job::KindInfo());
  EXPECT_EQ(FindResource("", "v1", "pods").kind->kind, "Pod");
  EXPECT_TRUE(FindResource("resource.k8s.io", "v1beta1", "resourceslices").is_previous);
  EXPECT_FALSE(FindResource("", "v1", "jobs"));
}

TEST(Registry, EnvelopesHaveNoUrl) {
  EXPECT_TRUE(FindKind("v1", "Status"));
  EXPECT_FALSE(FindResource("", "v1", ""));
}

TEST(Registry, KeepsEqualNamesOfDifferentGroupsApart) {
  EXPECT_EQ(FindKind("events.k8s.io/v1", "Event").kind, &EventsV1Event::KindInfo());
  EXPECT_NE(FindKind("v1", "Event").kind, &EventsV1Event::KindInfo());
}

TEST(Registry, HasAllOfKueue) {
  for (const char* kind : {"AdmissionCheck", "ClusterQueue", "Cohort", "LocalQueue",
                           "MultiKueueCluster", "MultiKueueConfig", "ProvisioningRequestConfig",
                           "ResourceFlavor", "Topology", "Workload", "WorkloadPriorityClass"}) {
    EXPECT_FALSE(FindKind("kueue.x-k8s.io/v1beta2", kind).is_previous) << kind;
    EXPECT_TRUE(FindKind("kueue.x-k8s.io/v1beta1", kind).is_previous) << kind;
  }
  EXPECT_TRUE(FindKind("config.kueue.x-k8s.io/v1beta2", "Configuration"));
  EXPECT_TRUE(FindKind("config.kueue.x-k8s.io/v1beta1", "Configuration").is_previous);
}

TEST(Registry, HasEveryKindOnce) {
  std::set<std::pair<std::string, std::string_view>> seen;
  for (const schema::Kind* kind : AllKinds()) {
    EXPECT_TRUE(seen.insert({kind->ApiVersion(), kind->kind}).second) << kind->kind;
    EXPECT_EQ(FindKind(kind->ApiVersion(), kind->kind).kind, kind);
  }
}

// Checks the invariants of all descriptions.
void CheckStruct(const schema::Struct& type, std::set<const schema::Struct*>& done);

void CheckType(const schema::Type& type, std::set<const schema::Struct*>& done) {
  if (type.shape == schema::Shape::kStruct) return CheckStruct(type.structure(), done);
  if (type.element != nullptr) CheckType(*type.element, done);
}

void CheckKeys(const schema::Field& field) {
  if (field.list_kind != schema::ListKind::kMap) return;
  ASSERT_EQ(field.type->shape, schema::Shape::kList) << field.name;
  const schema::Type& element = *field.type->element;
  ASSERT_EQ(element.shape, schema::Shape::kStruct) << field.name;
  for (std::string_view key : field.keys) {
    EXPECT_TRUE(std::ranges::any_of(element.structure().fields,
                                    [&](const schema::Field& f) { return f.name == key; }))
        << field.name << " has no key " << key;
  }
}

void CheckStruct(const schema::Struct& type, std::set<const schema::Struct*>& done) {
  if (!done.insert(&type).second) return;
  std::set<std::string_view> names;
  for (const schema::Field& field : type.fields) {
    EXPECT_TRUE(names.insert(field.name).second) << type.name << "." << field.name;
    EXPECT_TRUE(field.doc.ends_with('.')) << type.name << "." << field.name << " needs a sentence";
    CheckKeys(field);
    CheckType(*field.type, done);
  }
}

TEST(Registry, DescribesEveryFieldOfEveryKind) {
  std::set<const schema::Struct*> done;
  for (const schema::Kind* kind : AllKinds()) CheckStruct(kind->structure(), done);
  EXPECT_GT(done.size(), 200u);
}

}  // namespace
}  // namespace berth::api
