// Manifests applied with kubectl: our examples, and Kueue's samples.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "api/testing/shared_data.h"
#include "apiserver/testing/command.h"
#include "cluster/control_plane.h"
#include "embedded/testing/live_test.h"
#include "schema/yaml/to_json.h"

namespace berth::cluster {
namespace {

using apiserver::testing::RunCommand;
using embedded::testing::LiveCluster;
using embedded::testing::StartCluster;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::filesystem::path> YamlFilesBelow(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// Kueue's kinds, and the job kinds of a bare API server.
bool IsServed(const json::value& object) {
  static const std::set<std::string, std::less<>> kCoreKinds{"Namespace", "Pod"};
  const store::Resource resource = ResourceOfObject(object);
  if (resource.group.empty()) return kCoreKinds.contains(resource.kind);
  return resource.group == "kueue.x-k8s.io" || resource.group == "batch" ||
         resource.group == "apps" || resource.group == "resource.k8s.io";
}

std::vector<json::value> ServedObjectsOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<json::value> objects;
  const auto documents = schema::YamlToJson(text, {.file = file.string()});
  EXPECT_TRUE(documents) << base::ToString(documents.error());
  if (!documents) return objects;
  for (const schema::YamlDocument& document : *documents) {
    auto tree = json::Parse(document.json);
    if (tree && tree->is_object() && IsServed(*tree)) objects.push_back(std::move(*tree));
  }
  return objects;
}

void MakeNamespacesOf(const std::vector<json::value>& objects) {
  for (const json::value& object : objects) {
    const std::string space(json::StringAt(object, {"metadata", "namespace"}));
    if (space.empty()) continue;
    const json::object metadata{{"name", space}};
    EXPECT_TRUE(ControlPlane::Get().Apply(
        json::object{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", metadata}}));
  }
}

class Kubectl {
 public:
  Kubectl() : program_(apiserver::testing::FindKubectl(BERTH_SOURCE_DIR)) {}

  bool is_there() const { return !program_.empty(); }

  // Failures fail the test.
  void Run(std::vector<std::string> arguments, const std::vector<json::value>& objects) {
    arguments.insert(arguments.begin(),
                     {program_, "--kubeconfig", ControlPlane::Get().kubeconfig()});
    std::string text;
    for (const json::value& object : objects) text += "---\n" + json::Print(object) + "\n";
    const auto result = RunCommand(arguments, text);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, Not(HasSubstr("unknown field")));
    EXPECT_THAT(result.err, Not(HasSubstr("unrecognized format")));
  }

 private:
  std::string program_;
};

// Objects with generateName can be created but not applied.
bool HasName(const json::value& object) {
  return !json::StringAt(object, {"metadata", "name"}).empty();
}

void ApplyAndDelete(Kubectl& kubectl, const std::vector<json::value>& objects) {
  MakeNamespacesOf(objects);
  std::vector<json::value> named, unnamed;
  for (const json::value& object : objects) (HasName(object) ? named : unnamed).push_back(object);
  if (!unnamed.empty()) {
    kubectl.Run({"create", "-f", "-"}, unnamed);
    // Otherwise they would block the deletion of their queues.
    kubectl.Run({"delete", "--timeout=50s", "-A", "--all", "jobs,pods,workloads"}, {});
  }
  if (named.empty()) return;
  // Without a namespace controller, namespaces are not deleted.
  std::vector<json::value> deleted = named;
  std::erase_if(deleted, [](const json::value& object) {
    return json::StringAt(object, {"kind"}) == "Namespace";
  });
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--server-side"}, {}}) {
    std::vector<std::string> apply{"apply", "-f", "-"};
    apply.insert(apply.end(), how.begin(), how.end());
    kubectl.Run(apply, named);
    if (!deleted.empty()) kubectl.Run({"delete", "--timeout=50s", "-f", "-"}, deleted);
  }
}

// Objects of several files that can coexist, since each start of kubectl is slow.
class Batch {
 public:
  // False without effect if an object of the same name is present.
  bool Add(const std::filesystem::path& file, const std::vector<json::value>& objects) {
    const auto id = [](const json::value& object) {
      return std::string(json::StringAt(object, {"kind"})) + " " +
             std::string(json::StringAt(object, {"metadata", "namespace"})) + "/" +
             std::string(json::StringAt(object, {"metadata", "name"}));
    };
    for (const json::value& object : objects)
      if (HasName(object) && ids_.contains(id(object))) return false;
    for (const json::value& object : objects) ids_.insert(id(object));
    objects_.insert(objects_.end(), objects.begin(), objects.end());
    files_ += " " + file.string();
    return true;
  }

  void ApplyAndDelete(Kubectl& kubectl) {
    SCOPED_TRACE("one of" + files_);
    if (!objects_.empty()) cluster::ApplyAndDelete(kubectl, objects_);
    *this = {};
  }

 private:
  std::set<std::string> ids_;
  std::vector<json::value> objects_;
  std::string files_;
};

void ApplyAllBelow(const std::filesystem::path& directory,
                   const std::set<std::string>& not_whole = {}) {
  Kubectl kubectl;
  if (!kubectl.is_there()) GTEST_SKIP() << "there is no kubectl";
  LiveCluster cluster = StartCluster("featureGates: {KueueDynamicResourceAllocation: true}\n");
  Batch batch;
  size_t count = 0;
  for (const std::filesystem::path& file : YamlFilesBelow(directory)) {
    if (not_whole.contains(file.filename())) continue;
    const std::vector<json::value> objects = ServedObjectsOf(file);
    count += objects.size();
    if (batch.Add(file, objects)) continue;
    batch.ApplyAndDelete(kubectl);
    batch.Add(file, objects);
  }
  batch.ApplyAndDelete(kubectl);
  EXPECT_GT(count, 10u);
}

TEST(AppliedManifests, OurExamplesAreAccepted) {
  ApplyAllBelow(std::filesystem::path(BERTH_SOURCE_DIR) / "examples");
}

TEST(AppliedManifests, SamplesForKueueAreAccepted) {
  const std::filesystem::path directory = api::testing::SharedPath("manifests");
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << "shared/manifests not found";
  // A fragment that Kueue rejects as well, because its flavor is missing.
  ApplyAllBelow(directory, {"admin__minimal-cq.yaml"});
}

}  // namespace
}  // namespace berth::cluster
