#include "cli/ctl/ctl_completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload.h"
#include "cli/command.h"
#include "cli/ctl/ctl_command.h"
#include "cli/ctl/ctl_line.h"
#include "cli/ctl/pass_through.h"
#include "cli/printable.h"
#include "ctl/kinds.h"
#include "json/json.h"

namespace berth::cli {
namespace {

// What the shell may do with the candidates, as kubectl numbers it.
enum class Directive : uint8_t { kDefault = 0, kError = 1, kNoFiles = 4, kNoFilesNoSpace = 6 };

struct Candidate {
  std::string text;
  std::string meaning;
};

struct Candidates {
  std::vector<Candidate> all;
  Directive directive = Directive::kNoFiles;

  void Add(std::string_view text, std::string_view meaning = {}) {
    all.push_back({std::string(text), std::string(meaning)});
  }
};

// Of which objects: all, or those that are stopped or not.
enum class StopState : uint8_t { kAny, kRunning, kStopped };

bool IsStopped(const json::value& object) {
  const json::value* active = json::Find(object, {"spec", "active"});
  if (active != nullptr && active->is_bool()) return !active->get_bool();
  const std::string_view policy = json::StringAt(object, {"spec", "stopPolicy"});
  return !policy.empty() && policy != api::kStopPolicyNone;
}

class Completer {
 public:
  explicit Completer(CtlSession& session) : session_(session) {}

  // The last word is the one to complete.
  Candidates Complete(std::vector<std::string> words) {
    // bash makes three words of --flag=value.
    if (!words.empty() && words.back() == "=") words.back().clear();
    std::erase(words, "=");
    std::string last = words.empty() ? "" : words.back();
    if (!words.empty()) words.pop_back();
    const std::set<std::string, std::less<>> value_flags = CtlValueFlags();
    std::string flag;
    if (!words.empty() && value_flags.contains(words.back())) {
      flag = words.back();
      words.pop_back();
    } else if (const size_t equals = last.find('=');
               last.starts_with("--") && equals != std::string::npos) {
      flag = last.substr(0, equals);
      last = last.substr(equals + 1);
    }
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    line_ = SplitCtlLine(pointers, value_flags, &CtlTakesNoun);
    ReadGlobalFlags();
    Candidates candidates = flag.empty() ? Words(last) : Values(flag, last);
    std::erase_if(candidates.all, [&](const Candidate& c) { return !c.text.starts_with(last); });
    return candidates;
  }

 private:
  void ReadGlobalFlags() {
    CLI::App app;
    app.allow_extras();
    AddGlobalFlags(app, session_.flags());
    std::vector<std::string> rest = line_.rest;
    std::ranges::reverse(rest);
    try {
      app.parse(std::move(rest));
    } catch (const CLI::ParseError&) {
      return;  // what was read so far counts
    }
  }

  Candidates Words(std::string_view last) {
    if (last.starts_with('-')) return Flags();
    if (line_.verb.empty()) return Verbs();
    if (line_.noun.empty() && CtlTakesNoun(line_.verb)) return Nouns();
    return Arguments();
  }

  static Candidates Verbs() {
    Candidates candidates;
    for (const CtlCommand& command : CtlCommands()) {
      const bool is_known = std::ranges::any_of(
          candidates.all, [&](const Candidate& c) { return c.text == command.verb; });
      if (!is_known) candidates.Add(command.verb, command.noun.empty() ? command.summary : "");
    }
    for (const std::string_view verb : kPassedThroughVerbs) candidates.Add(verb, "As kubectl");
    candidates.Add("help", "Tell more about a command");
    return candidates;
  }

  Candidates Nouns() const {
    Candidates candidates;
    for (const CtlCommand& command : CtlCommands())
      if (command.verb == line_.verb) candidates.Add(command.noun, command.summary);
    if (!IsPassedThrough(line_.verb, "clusterqueue")) return candidates;
    for (const std::string_view noun : {"workload", "clusterqueue", "localqueue", "resourceflavor"})
      if (noun != "workload" || line_.verb != "delete") candidates.Add(noun);
    return candidates;
  }

  Candidates Flags() {
    Candidates candidates;
    CLI::App app;
    const CtlCommand* command = FindCtlCommand(line_.verb, line_.noun);
    CtlAction action;
    if (command != nullptr) action = command->declare(app);
    GlobalFlags ignored;
    AddGlobalFlags(app, ignored);
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames())
        candidates.Add("--" + name, option->get_description());
    return candidates;
  }

  Candidates Arguments() {
    if (line_.verb == "completion") return Choices({"bash", "zsh", "fish"});
    if (line_.verb == "explain" || line_.verb == "eta" || line_.verb == "history")
      return Names(store::ResourceOf<api::Workload>(), StopState::kAny);
    const bool is_listing = line_.verb == "list" || line_.verb == "create";
    const ctl::NamedKind* kind = is_listing ? nullptr : ctl::FindKnownKind(line_.noun);
    if (kind == nullptr) return {};
    const StopState state = line_.verb == "stop"     ? StopState::kRunning
                            : line_.verb == "resume" ? StopState::kStopped
                                                     : StopState::kAny;
    return Names(kind->resource, state);
  }

  Candidates Values(std::string_view flag, std::string_view last) {
    if (flag == "-n" || flag == "--namespace")
      return Names(store::ResourceOf<api::Namespace>(), StopState::kAny);
    if (flag == "-c" || flag == "--clusterqueue")
      return Names(store::ResourceOf<api::ClusterQueue>(), StopState::kAny);
    if (flag == "-q" || flag == "--localqueue")
      return Names(store::ResourceOf<api::LocalQueue>(), StopState::kAny);
    if (flag == "--context") return Entries("contexts");
    if (flag == "--cluster") return Entries("clusters");
    if (flag == "--user") return Entries("users");
    if (flag == "--for") return ForObjects(last);
    if (flag == "--dry-run") return Choices({"none", "server", "client"});
    if (flag == "--active") return Choices({"true", "false"});
    if (flag == "--status")
      return Choices({"all", "pending", "quotareserved", "admitted", "finished"});
    if (flag == "-o" || flag == "--output")
      return TakesHumanOutput() ? Choices({"human", "json"})
                                : Choices({"json", "yaml", "name", "wide", "jsonpath="});
    if (flag == "--queuing-strategy") return Choices(api::kQueueingStrategies);
    if (flag == "--reclaim-within-cohort") return Choices(api::kReclaimWithinCohortPolicies);
    if (flag == "--preemption-within-cluster-queue")
      return Choices(api::kWithinClusterQueuePolicies);
    Candidates files;
    files.directive = Directive::kDefault;
    return files;
  }

  bool TakesHumanOutput() const {
    return line_.verb == "explain" || line_.verb == "eta" || line_.verb == "plan" ||
           line_.verb == "history" || line_.verb == "tree";
  }

  Candidates Entries(std::string_view list) {
    Candidates candidates;
    for (const std::string& name :
         kube::FindKubeconfigNames(session_.flags().access.kubeconfig, list))
      candidates.Add(name);
    return candidates;
  }

  template <class Range>
  static Candidates Choices(const Range& choices) {
    Candidates candidates;
    for (const std::string_view choice : choices) candidates.Add(choice);
    return candidates;
  }
  static Candidates Choices(std::initializer_list<std::string_view> choices) {
    return Choices<std::initializer_list<std::string_view>>(choices);
  }

  // "job/", then "job/train".
  Candidates ForObjects(std::string_view last) {
    const size_t slash = last.find('/');
    if (slash == std::string_view::npos) {
      Candidates types = Choices({"job/", "pod/", "jobset/", "deployment/", "statefulset/"});
      types.directive = Directive::kNoFilesNoSpace;
      return types;
    }
    const ctl::NamedKind* kind = ctl::FindKnownKind(last.substr(0, slash));
    if (kind == nullptr) return {};
    Candidates names = Names(kind->resource, StopState::kAny);
    for (Candidate& name : names.all)
      name.text = std::string(last.substr(0, slash + 1)) + name.text;
    return names;
  }

  Candidates Names(const store::Resource& resource, StopState state) {
    Candidates candidates;
    if (session_.flags().request_timeout == "0") session_.flags().request_timeout = "5s";
    const auto cluster = session_.Connect();
    const auto objects =
        cluster ? (*cluster)->List(resource,
                                   {.namespace_ = resource.is_namespaced ? session_.namespace_name()
                                                                         : std::string(),
                                    .label_selector = {},
                                    .field_selector = {}})
                : std::unexpected(cluster.error());
    if (!objects) {
      candidates.directive = Directive::kError;
      return candidates;
    }
    for (const store::Object& object : *objects)
      if (IsWanted(object, state)) candidates.Add(object.name);
    return candidates;
  }

  // Names that are on the line already are left out.
  bool IsWanted(const store::Object& object, StopState state) const {
    if (std::ranges::find(line_.rest, object.name) != line_.rest.end()) return false;
    if (state == StopState::kAny) return true;
    const auto tree = json::Parse(object.text());
    return tree && IsStopped(*tree) == (state == StopState::kStopped);
  }

  CtlSession& session_;
  CtlLine line_;
};

}  // namespace

int PrintCandidates(std::span<const char* const> words, CtlSession& session) {
  const Candidates candidates = Completer(session).Complete({words.begin(), words.end()});
  for (const Candidate& candidate : candidates.all) {
    session.out() << Printable(candidate.text);
    if (!candidate.meaning.empty()) session.out() << "\t" << Printable(candidate.meaning);
    session.out() << "\n";
  }
  session.out() << ":" << std::to_string(static_cast<int>(candidates.directive)) << "\n";
  return kExitOk;
}

}  // namespace berth::cli
