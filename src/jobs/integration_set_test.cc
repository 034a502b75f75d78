#include "jobs/integration_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "api/config/integration_names.h"
#include "jobs/job_state.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kTrain = R"(framework: example.com/train
apiVersion: example.com/v1
kind: Train
plural: trains
suspend: spec.paused
podSets:
- name: main
  template: spec.template
  count: [{path: spec.cars}]
finished:
- {when: [{condition: Arrived}], success: true}
)";

TEST(Descriptions, EveryFrameworkOfKueueHasOne) {
  for (const api::IntegrationName& name : api::AllIntegrations()) {
    const Integration* found = IntegrationSet::BuiltIn().FindFramework(name.framework);
    ASSERT_NE(found, nullptr) << name.framework;
    EXPECT_EQ(found->kind, name.kind);
    EXPECT_EQ(found->group(), name.group);
    EXPECT_TRUE(found->api_version.ends_with(name.version)) << found->api_version;
  }
  EXPECT_EQ(IntegrationSet::BuiltIn().all().size(), api::AllIntegrations().size());
}

TEST(Descriptions, ANewKindNeedsNoCode) {
  IntegrationSet set = IntegrationSet::WithBuiltIn();
  ASSERT_THAT(set.Add(kTrain, "train.yaml"), IsEmpty());
  ASSERT_NE(set.Find("example.com/v2", "Train"), nullptr);
  EXPECT_EQ(set.Find("example.com/v1", "Train")->suspend, "spec.paused");
  ASSERT_THAT(set.AddedKinds(), SizeIs(1));
  EXPECT_EQ(set.AddedKinds()[0].kind, "Train");
}

std::vector<std::string> ProblemsOf(std::string_view text) {
  IntegrationSet set = IntegrationSet::WithBuiltIn();
  std::vector<std::string> texts;
  for (const schema::Problem& problem : set.Add(text, "f.yaml"))
    texts.push_back(schema::ToString(problem));
  EXPECT_EQ(set.all().size(), IntegrationSet::BuiltIn().all().size()) << "nothing is added";
  return texts;
}

std::string With(std::string_view from, std::string_view to) {
  std::string text(kTrain);
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(Descriptions, ErrorsHaveTheirPlace) {
  EXPECT_THAT(ProblemsOf(With("suspend: spec.paused", "suspend: spec..paused")),
              ElementsAre(HasSubstr("f.yaml:5:10: suspend: \"spec..paused\" is not a path")));
  EXPECT_THAT(ProblemsOf(With("suspend: spec.paused\n", "")),
              ElementsAre(HasSubstr("suspend: must be set")));
  EXPECT_THAT(ProblemsOf(With("plural", "plurals")), ::testing::Contains(HasSubstr("f.yaml:4")));
  EXPECT_THAT(ProblemsOf(With("- name: main\n  template", "- template")),
              ElementsAre(HasSubstr("podSets[0].name: or namePath, exactly one of them")));
  EXPECT_THAT(ProblemsOf(With("condition: Arrived", "in: [a]")),
              ElementsAre(HasSubstr("finished[0].when[0].path: must be set")));
  EXPECT_THAT(ProblemsOf("a: [b"), SizeIs(1));
}

TEST(Descriptions, TheSuspensionIsOneOfAList) {
  EXPECT_THAT(ProblemsOf(With("kind: Train", "kind: Train\nwaits: Sometimes")), SizeIs(1));
}

TEST(Descriptions, AKindIsDescribedOnce) {
  EXPECT_THAT(ProblemsOf(With("example.com/train", "batch/job")),
              ElementsAre(HasSubstr("there is a description of \"batch/job\"")));
  EXPECT_THAT(ProblemsOf(std::string(kTrain) + "---\n" + std::string(kTrain)), SizeIs(1));
}

// --- The documentation -------------------------------------------------------------------------

std::string Page() {
  std::ostringstream text;
  text << std::ifstream(BERTH_SOURCE_DIR "/docs/reference/job-kinds.md").rdbuf();
  return std::move(text).str();
}

TEST(DescriptionReference, TheExampleIsADescription) {
  const std::string page = Page();
  const size_t begin = page.find("```yaml\n") + 8;
  IntegrationSet set = IntegrationSet::WithBuiltIn();
  EXPECT_THAT(set.Add(page.substr(begin, page.find("```", begin) - begin), "page"), IsEmpty());
  const Integration* train = set.Find("company.example/v1", "Train");
  ASSERT_NE(train, nullptr);
  const json::value job = testing::Yaml(R"(
spec: {engine: {spec: {}}, carriages: [{name: sleeper, cars: 2, template: {spec: {}}},
                                       {name: diner, cars: 1, template: {spec: {}}}]}
status: {phase: Derailed, message: snow}
)");
  EXPECT_THAT(*PodSets(*train, job, {}), SizeIs(3));
  EXPECT_EQ(Finished(*train, job)->message, "snow");
}

TEST(DescriptionReference, EveryFieldIsExplained) {
  const std::string page = Page();
  for (const schema::Struct* part : {&Integration::Description(), &PodSetRule::Description(),
                                     &jobs::Test::Description(), &CountFactor::Description()}) {
    for (const schema::Field& field : part->fields) {
      const std::string name(field.name);
      const bool is_there = page.find("`" + name + "`") != page.npos ||
                            page.find("[]." + name + "`") != page.npos ||
                            page.find("`" + name + ": true`") != page.npos;
      EXPECT_TRUE(is_there) << part->name << "." << name;
    }
  }
}

// --- Directories -------------------------------------------------------------------------------

class DescriptionDirectory : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(path_); }
  void TearDown() override { std::filesystem::remove_all(path_); }
  void Write(const std::string& name, std::string_view text) {
    std::ofstream(path_ / name) << text;
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("berth-descriptions-" + std::to_string(::getpid()));
};

TEST_F(DescriptionDirectory, AllItsFilesAreRead) {
  Write("a.yaml", kTrain);
  Write("notes.txt", "no description");
  IntegrationSet set = IntegrationSet::WithBuiltIn();
  EXPECT_THAT(set.AddDirectory(path_.string()), IsEmpty());
  EXPECT_NE(set.FindFramework("example.com/train"), nullptr);
}

TEST_F(DescriptionDirectory, OneBrokenFileDoesNotHideAnother) {
  Write("a.yaml", "kind: [");
  Write("b.yaml", "kind: 3");
  IntegrationSet set = IntegrationSet::WithBuiltIn();
  const schema::Problems problems = set.AddDirectory(path_.string());
  ASSERT_GE(problems.size(), 2u);
  EXPECT_THAT(problems.front().place.file, HasSubstr("a.yaml"));
  EXPECT_THAT(problems.back().place.file, HasSubstr("b.yaml"));
}

TEST_F(DescriptionDirectory, AMissingDirectoryIsAnError) {
  IntegrationSet set;
  EXPECT_THAT(set.AddDirectory((path_ / "none").string()), SizeIs(1));
}

}  // namespace
}  // namespace berth::jobs
