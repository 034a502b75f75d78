#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "base/check.h"
#include "cli/command.h"
#include "schema/crd.h"
#include "schema/yaml/writer.h"

namespace berth::cli {
namespace {

struct CrdsArguments {
  std::string output;
  std::string folder;
  bool has_no_webhook = false;
};

struct Crd {
  std::string file_name;  // without extension
  std::string json;
};

std::vector<Crd> AllCrds(schema::Conversion conversion) {
  std::vector<Crd> crds;
  for (const schema::Kind* kind : api::AllKinds()) {
    if (kind->group != api::kKueueGroup || kind->plural.empty()) continue;
    crds.push_back({std::string(kind->group) + "_" + std::string(kind->plural),
                    schema::CustomResourceDefinition(*kind, conversion)});
  }
  return crds;
}

std::string ToYaml(const std::string& json) {
  base::Result<std::string> yaml = schema::JsonToYaml(json);
  CHECK(yaml.has_value());  // generated text
  return *std::move(yaml);
}

void PrintYaml(const std::vector<Crd>& crds, Output& out) {
  for (const Crd& crd : crds) out << "---\n" << ToYaml(crd.json);
}

void PrintJson(const std::vector<Crd>& crds, Output& out) {
  out << R"({"apiVersion":"v1","kind":"List","items":[)";
  for (const Crd& crd : crds) out << (&crd == crds.data() ? "" : ",") << crd.json;
  out << "]}\n";
}

bool WriteFile(const std::filesystem::path& path, const std::string& text, Output& err) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return true;
  err << "berth: " << path.native() << ": cannot be written: " << std::strerror(errno) << "\n";
  return false;
}

int WriteFolder(const std::vector<Crd>& crds, const CrdsArguments& arguments, Output& err) {
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (error) {
    err << "berth: " << arguments.folder << ": " << error.message() << "\n";
    return kExitTrouble;
  }
  const bool is_json = arguments.output == "json";
  for (const Crd& crd : crds) {
    const std::string name = crd.file_name + (is_json ? ".json" : ".yaml");
    const std::string text = is_json ? crd.json + "\n" : "---\n" + ToYaml(crd.json);
    if (!WriteFile(std::filesystem::path(arguments.folder) / name, text, err)) return kExitTrouble;
  }
  return kExitOk;
}

}  // namespace

void AddCrds(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<CrdsArguments>();
  CLI::App* command =
      berth.add_subcommand("crds", "Print the CustomResourceDefinitions of all kinds");
  AddOutputOption(*command, arguments->output, "yaml");
  command->add_option("--dir", arguments->folder, "Write one file per kind into this directory")
      ->option_text("DIR");
  command->add_flag("--no-webhook", arguments->has_no_webhook,
                    "For clusters without a conversion webhook: do not serve v1beta1 where it "
                    "needs conversion");
  command->footer("Example:\n  berth crds | kubectl apply --server-side -f -");
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) {
      const std::vector<Crd> crds = AllCrds(
          arguments->has_no_webhook ? schema::Conversion::kNone : schema::Conversion::kWebhook);
      if (!arguments->folder.empty()) return WriteFolder(crds, *arguments, err);
      arguments->output == "json" ? PrintJson(crds, out) : PrintYaml(crds, out);
      return kExitOk;
    };
  });
}

}  // namespace berth::cli
