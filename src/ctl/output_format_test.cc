#include "ctl/output_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/cluster_queue.h"

namespace berth::ctl {
namespace {

using ::testing::HasSubstr;

store::Object Queue(std::string_view name) {
  return *store::Object::FromJson(
      R"({"metadata":{"name":")" + std::string(name) +
      R"(","managedFields":[{"manager":"m"}],"labels":{"b":"2","a":"1"}},"spec":{"cohortName":"c"}})");
}

std::string Listed(std::string_view format) {
  const auto parsed = OutputFormat::Parse(format);
  if (!parsed) return base::ToString(parsed.error());
  const std::vector<store::Object> queues{Queue("x"), Queue("y")};
  return PrintList(queues, store::ResourceOf<api::ClusterQueue>(), *parsed);
}

std::string Created(std::string_view format, DryRun dry_run = DryRun::kNone) {
  return PrintObject(Queue("x"), store::ResourceOf<api::ClusterQueue>(),
                     *OutputFormat::Parse(format), "created", dry_run);
}

TEST(OutputFormat, NamesWhatWasDone) {
  EXPECT_EQ(Created(""), "clusterqueue.kueue.x-k8s.io/x created\n");
  EXPECT_EQ(Created("", DryRun::kClient),
            "clusterqueue.kueue.x-k8s.io/x created (client dry run)\n");
  EXPECT_EQ(Created("", DryRun::kServer),
            "clusterqueue.kueue.x-k8s.io/x created (server dry run)\n");
  EXPECT_EQ(Created("name"), "clusterqueue.kueue.x-k8s.io/x\n");
}

TEST(OutputFormat, PrintsObjectsAsTheApiHasThem) {
  EXPECT_EQ(Created("yaml"),
            "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata:\n  labels:\n"
            "    a: \"1\"\n    b: \"2\"\n  name: x\nspec:\n  cohortName: c\n");
  EXPECT_THAT(Created("json"), HasSubstr("{\n    \"apiVersion\": \"kueue.x-k8s.io/v1beta2\",\n"
                                         "    \"kind\": \"ClusterQueue\",\n"));
}

TEST(OutputFormat, PrintsLists) {
  EXPECT_THAT(Listed("json"), HasSubstr("\"kind\": \"ClusterQueueList\""));
  EXPECT_EQ(Listed("name"), "clusterqueue.kueue.x-k8s.io/x\nclusterqueue.kueue.x-k8s.io/y\n");
  EXPECT_EQ(Listed("jsonpath={.items[*].metadata.name}"), "x y");
  EXPECT_EQ(Listed(R"(jsonpath={range .items[*]}{.metadata.name}={.spec.cohortName}{"\n"}{end})"),
            "x=c\ny=c\n");
}

TEST(OutputFormat, KeepsManagedFieldsOnDemand) {
  OutputFormat format = *OutputFormat::Parse("json");
  format.shows_managed_fields = true;
  const store::Resource resource = store::ResourceOf<api::ClusterQueue>();
  EXPECT_THAT(PrintObject(Queue("x"), resource, format, "", DryRun::kNone),
              HasSubstr("managedFields"));
}

TEST(OutputFormat, SaysWhatItKnows) {
  EXPECT_THAT(Listed("jsn"), HasSubstr("did you mean \"json\"?"));
  EXPECT_THAT(Listed("go-template={{.kind}}"), HasSubstr("Go templates are not supported"));
  EXPECT_THAT(Listed("jsonpath={.items[}"), HasSubstr("jsonpath {.items[}"));
  EXPECT_THAT(Listed("jsonpath={range .items[*]}x"), HasSubstr("{range} without {end}"));
  EXPECT_THAT(Listed("jsonpath={end}"), HasSubstr("{end} without {range}"));
  EXPECT_THAT(Listed("jsonpath={.a"), HasSubstr("{ without }"));
}

}  // namespace
}  // namespace berth::ctl
