#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "api/config/feature_gates.h"
#include "api/kueue/well_known.h"
#include "cli/build_info.h"
#include "cli/command.h"
#include "schema/json/writer.h"

namespace berth::cli {
namespace {

struct VersionArguments {
  std::string output;
  bool lists_gates = false;
};

std::string Padded(std::string_view text, size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

std::string Served() {
  return std::string(api::kKueueGroup) + "/" + std::string(api::kKueueVersion);
}

void PrintGates(Output& out) {
  size_t width = 0;
  for (const api::GateInfo& gate : api::AllGates()) width = std::max(width, gate.name.size());
  out << "\n" << Padded("FEATURE GATE", width + 2) << "STAGE       DEFAULT  SINCE\n";
  for (const api::GateInfo& gate : api::AllGates()) {
    out << Padded(gate.name, width + 2) << Padded(api::ToString(gate.stage), 12)
        << Padded(gate.is_on ? "on" : "off", 9) << gate.since
        << (gate.is_locked ? ", cannot be changed" : "") << "\n";
  }
}

void PrintText(const VersionArguments& arguments, Output& out) {
  out << "berth " << kVersion;
  if (!kRevision.empty()) out << " (" << kRevision << ")";
  out << "\nbuilt with " << kCompiler << "\nserves     " << Served();
  for (const std::string_view previous : api::kPreviousKueueVersions) out << ", reads " << previous;
  out << "\n";
  if (arguments.lists_gates) PrintGates(out);
}

void WriteGates(schema::JsonWriter& w) {
  w.Key("featureGates").BeginArray();
  for (const api::GateInfo& gate : api::AllGates()) {
    w.BeginObject();
    w.Member("name", gate.name).Member("stage", api::ToString(gate.stage));
    w.Member("default", gate.is_on).Member("locked", gate.is_locked).Member("since", gate.since);
    w.EndObject();
  }
  w.EndArray();
}

void PrintJson(const VersionArguments& arguments, Output& out) {
  schema::JsonWriter w;
  w.BeginObject();
  w.Member("version", kVersion).Member("revision", kRevision).Member("compiler", kCompiler);
  w.Key("reads").BeginArray().Value(Served());
  for (const std::string_view previous : api::kPreviousKueueVersions)
    w.Value(std::string(api::kKueueGroup) + "/" + std::string(previous));
  w.EndArray();
  if (arguments.lists_gates) WriteGates(w);
  w.EndObject();
  out << w.text() << "\n";
}

}  // namespace

void AddVersion(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<VersionArguments>();
  CLI::App* command = berth.add_subcommand("version", "Print version and build information");
  AddOutputOption(*command, arguments->output, "human");
  command->add_flag("--feature-gates", arguments->lists_gates,
                    "Also list the feature gates, their stages and defaults");
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output&) {
      arguments->output == "json" ? PrintJson(*arguments, out) : PrintText(*arguments, out);
      return kExitOk;
    };
  });
}

}  // namespace berth::cli
