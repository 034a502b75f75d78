#include "kube/kubeconfig.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "json/json.h"
#include "schema/yaml/to_json.h"

namespace berth::kube {
namespace {

struct ReadKubeconfig {
  std::string path;
  json::value tree;
};

// A named entry of a list, with the file that contains it.
struct KubeconfigEntry {
  const json::value* value = nullptr;
  std::string_view path;
  std::string place;  // `user "admin" in /home/me/.kube/config`

  std::string_view Text(std::string_view key) const { return json::StringAt(*value, {key}); }
  bool Flag(std::string_view key) const {
    const json::value* found = json::Find(*value, {key});
    return found != nullptr && found->is_bool() && found->get_bool();
  }
};

base::Result<ReadKubeconfig> ReadOneKubeconfig(const KubeconfigFile& file) {
  auto documents = schema::YamlToJson(file.text, {.file = file.path});
  if (!documents) return std::unexpected(documents.error());
  if (documents->empty()) return ReadKubeconfig{.path = file.path, .tree = json::object()};
  if (documents->size() > 1)
    return base::Fail(file.path + " has several documents", "a kubeconfig is one YAML document");
  auto tree = json::Parse(documents->front().json);
  if (!tree || !tree->is_object())
    return base::Fail(file.path + " is no kubeconfig", "it must be a mapping with `kind: Config`");
  return ReadKubeconfig{.path = file.path, .tree = std::move(*tree)};
}

// The entry with a name in one file. Lists have the form {name, <singular>: {…}}.
const json::value* FindInList(const json::value& tree, std::string_view list,
                              std::string_view singular, std::string_view name) {
  const json::value* entries = json::Find(tree, {list});
  if (entries == nullptr || !entries->is_array()) return nullptr;
  for (const json::value& entry : entries->get_array()) {
    if (!entry.is_object() || json::StringAt(entry, {"name"}) != name) continue;
    const json::value* value = json::Find(entry, {singular});
    if (value != nullptr && value->is_object()) return value;
  }
  return nullptr;
}

class KubeconfigReader {
 public:
  KubeconfigReader(std::vector<ReadKubeconfig> files, const ReadFile& read_file)
      : files_(std::move(files)), read_file_(read_file) {}

  base::Result<Access> Read(KubeconfigChoice choice) {
    if (auto read = ReadContext(choice); !read) return std::unexpected(read.error());
    const auto cluster = Find("clusters", "cluster", choice.cluster);
    if (!cluster) return std::unexpected(cluster.error());
    if (auto read = ReadCluster(*cluster); !read) return std::unexpected(read.error());
    if (choice.user.empty()) return access_;  // anonymous
    const auto user = Find("users", "user", choice.user);
    if (!user) return std::unexpected(user.error());
    if (auto read = ReadUser(*user); !read) return std::unexpected(read.error());
    return access_;
  }

 private:
  // Completes the choice by the context. A chosen cluster needs no context.
  base::Result<void> ReadContext(KubeconfigChoice& choice) {
    access_.namespace_ = "default";
    for (const ReadKubeconfig& file : files_)
      if (choice.context.empty()) choice.context = json::StringAt(file.tree, {"current-context"});
    if (choice.context.empty() && !choice.cluster.empty()) return {};
    if (choice.context.empty())
      return base::Fail("the kubeconfig has no current context",
                        "set current-context, or give one with --context");
    const auto chosen = Find("contexts", "context", choice.context);
    if (!chosen) return std::unexpected(chosen.error());
    if (const std::string_view space = chosen->Text("namespace"); !space.empty())
      access_.namespace_ = space;
    if (choice.cluster.empty()) choice.cluster = chosen->Text("cluster");
    if (choice.user.empty()) choice.user = chosen->Text("user");
    return {};
  }

  base::Result<KubeconfigEntry> Find(std::string_view list, std::string_view singular,
                                     const std::string& name) const {
    const std::string what = std::string(singular) + " \"" + name + "\"";
    for (const ReadKubeconfig& file : files_)
      if (const json::value* found = FindInList(file.tree, list, singular, name))
        return KubeconfigEntry{
            .value = found, .path = file.path, .place = what + " in " + file.path};
    std::string paths;
    for (const ReadKubeconfig& file : files_) paths += (paths.empty() ? "" : ", ") + file.path;
    return base::Fail("there is no " + what + " in " + paths,
                      "add it under " + std::string(list) + ", or name one that is there");
  }

  // Inline base64 data, or the content of the referenced file.
  base::Result<void> Take(const KubeconfigEntry& entry, const std::string& key,
                          std::string& target) const {
    const std::string_view inside = entry.Text(key + "-data");
    if (!inside.empty()) {
      auto decoded = base::DecodeBase64(inside);
      if (!decoded)
        return base::Fail(key + "-data of " + entry.place + " is not base64",
                          "give the whole PEM file in base64");
      target = std::move(*decoded);
      return {};
    }
    const std::string_view path = entry.Text(key);
    if (path.empty()) return {};
    auto read = read_file_(Resolved(entry, path));
    if (!read)
      return base::Fail(key + " of " + entry.place + ": " + read.error().message,
                        read.error().hint);
    target = std::move(*read);
    return {};
  }

  static std::string Resolved(const KubeconfigEntry& entry, std::string_view path) {
    return (std::filesystem::path(entry.path).parent_path() / path).string();
  }

  base::Result<void> ReadCluster(const KubeconfigEntry& entry) {
    access_.server = entry.Text("server");
    if (access_.server.empty())
      return base::Fail("there is no server in " + entry.place,
                        "write its address, such as https://10.0.0.1:6443");
    access_.proxy = entry.Text("proxy-url");
    access_.tls_server_name = entry.Text("tls-server-name");
    access_.skips_verification = entry.Flag("insecure-skip-tls-verify");
    return Take(entry, "certificate-authority", access_.authority);
  }

  base::Result<void> ReadUser(const KubeconfigEntry& entry) {
    if (json::Find(*entry.value, {"auth-provider"}) != nullptr)
      return base::Fail("auth-provider of " + entry.place + " is not known",
                        "use an exec plugin, as current versions of kubectl do");
    access_.token = entry.Text("token");
    access_.user = entry.Text("username");
    access_.password = entry.Text("password");
    access_.impersonated_user = entry.Text("as");
    for (const std::string_view group : Texts(entry, "as-groups"))
      access_.impersonated_groups.emplace_back(group);
    if (const std::string_view file = entry.Text("tokenFile"); !file.empty())
      access_.token_file = Resolved(entry, file);
    if (auto taken = Take(entry, "client-certificate", access_.certificate); !taken) return taken;
    if (auto taken = Take(entry, "client-key", access_.key); !taken) return taken;
    if (access_.certificate.empty() != access_.key.empty())
      return base::Fail(entry.place + " has a client certificate or its key, but not both",
                        "give client-certificate and client-key");
    return ReadExec(entry);
  }

  static std::vector<std::string_view> Texts(const KubeconfigEntry& entry, std::string_view key) {
    std::vector<std::string_view> texts;
    const json::value* list = json::Find(*entry.value, {key});
    if (list != nullptr && list->is_array())
      for (const json::value& element : list->get_array())
        if (element.is_string()) texts.push_back(json::View(element.get_string()));
    return texts;
  }

  base::Result<void> ReadExec(const KubeconfigEntry& user) {
    const json::value* exec = json::Find(*user.value, {"exec"});
    if (exec == nullptr || !exec->is_object()) return {};
    const KubeconfigEntry entry{.value = exec, .path = user.path, .place = "exec of " + user.place};
    ExecPlugin& plugin = access_.exec.emplace();
    plugin.command = entry.Text("command");
    if (plugin.command.empty())
      return base::Fail("there is no command in " + entry.place,
                        "name the program that gets credentials");
    // A path is relative to the kubeconfig; a bare name is looked up on the PATH.
    if (plugin.command.find('/') != std::string::npos)
      plugin.command = Resolved(entry, plugin.command);
    plugin.api_version = entry.Text("apiVersion");
    plugin.install_hint = entry.Text("installHint");
    plugin.wants_cluster = entry.Flag("provideClusterInfo");
    for (const std::string_view argument : Texts(entry, "args"))
      plugin.arguments.emplace_back(argument);
    ReadEnvironment(*exec, plugin);
    if (plugin.api_version == "client.authentication.k8s.io/v1" ||
        plugin.api_version == "client.authentication.k8s.io/v1beta1")
      return {};
    return base::Fail(
        "apiVersion \"" + plugin.api_version + "\" of " + entry.place + " is not known",
        "use client.authentication.k8s.io/v1");
  }

  static void ReadEnvironment(const json::value& exec, ExecPlugin& plugin) {
    const json::value* list = json::Find(exec, {"env"});
    if (list == nullptr || !list->is_array()) return;
    for (const json::value& variable : list->get_array())
      if (variable.is_object())
        plugin.environment.emplace_back(json::StringAt(variable, {"name"}),
                                        json::StringAt(variable, {"value"}));
  }

  std::vector<ReadKubeconfig> files_;
  const ReadFile& read_file_;
  Access access_;
};

}  // namespace

base::Result<Access> AccessFrom(std::span<const KubeconfigFile> files,
                                const KubeconfigChoice& choice, const ReadFile& read_file) {
  std::vector<ReadKubeconfig> read;
  for (const KubeconfigFile& file : files) {
    auto one = ReadOneKubeconfig(file);
    if (!one) return std::unexpected(one.error());
    read.push_back(std::move(*one));
  }
  return KubeconfigReader(std::move(read), read_file).Read(choice);
}

std::vector<std::string> KubeconfigNames(std::span<const KubeconfigFile> files,
                                         std::string_view list) {
  std::vector<std::string> names;
  for (const KubeconfigFile& file : files) {
    const auto read = ReadOneKubeconfig(file);
    const json::value* entries = read ? json::Find(read->tree, {list}) : nullptr;
    if (entries == nullptr || !entries->is_array()) continue;
    for (const json::value& entry : entries->get_array())
      if (entry.is_object()) names.emplace_back(json::StringAt(entry, {"name"}));
  }
  return names;
}

}  // namespace berth::kube
