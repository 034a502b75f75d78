#include <CLI/CLI.hpp>
#include <memory>

#include "api/apps/deployment.h"
#include "cli/build_info.h"
#include "cli/ctl/ctl_command.h"
#include "cli/ctl/ctl_scripts.h"
#include "ctl/failure.h"
#include "json/json.h"
#include "store/resource.h"

namespace berth::cli {
namespace {

// --- version ---

constexpr std::string_view kManagerNamespace = "kueue-system";
constexpr std::string_view kManagerDeployment = "kueue-controller-manager";
constexpr std::string_view kManagerContainer = "manager";

// The image of the controller's container; "" if there is none.
std::string ManagerImage(const store::Object& deployment) {
  const auto tree = json::Parse(deployment.text());
  const json::value* containers =
      tree ? json::Find(*tree, {"spec", "template", "spec", "containers"}) : nullptr;
  if (containers == nullptr || !containers->is_array()) return {};
  for (const json::value& container : containers->get_array())
    if (json::StringAt(container, {"name"}) == kManagerContainer)
      return std::string(json::StringAt(container, {"image"}));
  return {};
}

int PrintCtlVersion(CtlSession& session) {
  session.out() << "Client Version: v" << kVersion << "\n";
  const auto cluster = session.Connect();
  if (!cluster) return session.Fail(cluster.error());
  const auto deployment = (*cluster)->TryGet({.resource = store::ResourceOf<api::Deployment>(),
                                              .namespace_ = std::string(kManagerNamespace),
                                              .name = std::string(kManagerDeployment),
                                              .subresource = {}});
  if (!deployment && deployment.error().IsNotFound()) return session.Conclude(std::string());
  if (!deployment) return session.Fail(ctl::ErrorOf(deployment.error()));
  const std::string image = ManagerImage(*deployment);
  return session.Conclude(image.empty() ? image
                                        : "Kueue Controller Manager Image: " + image + "\n");
}

CtlAction DeclareCtlVersion(CLI::App&) { return &PrintCtlVersion; }

// --- completion ---

CtlAction DeclareCtlCompletion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "Shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text("bash|zsh|fish");
  return [shell](CtlSession& session) {
    session.out() << CtlCompletionScript(*shell);
    return 0;
  };
}

}  // namespace

CtlCommand CtlVersionCommand() {
  return {"version",
          "",
          {},
          "Print the version of this program and the controller's image",
          "  kubectl kueue version",
          &DeclareCtlVersion};
}

CtlCommand CtlCompletionCommand() {
  return {"completion",
          "",
          {},
          "Print a shell completion script",
          "  source <(kubectl-kueue completion bash)\n"
          "  source <(kubectl-kueue completion zsh)\n"
          "  kubectl-kueue completion fish | source",
          &DeclareCtlCompletion};
}

}  // namespace berth::cli
