#include "cli/ctl/pass_through.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "cli/ctl/ctl_command.h"

namespace berth::cli {
namespace {

// "workload", "kwl", "workload/train".
bool IsWorkloadNoun(std::string_view noun) {
  return noun == "workload" ||
         std::ranges::find(kWorkloadAliases, noun) != std::ranges::end(kWorkloadAliases);
}

}  // namespace

bool IsPassedThrough(std::string_view verb, std::string_view noun) {
  if (verb == "delete") return !noun.empty() && !IsWorkloadNoun(noun);
  return std::ranges::find(kPassedThroughVerbs, verb) != std::ranges::end(kPassedThroughVerbs);
}

int PassToKubectl(std::span<const char* const> arguments, CtlSession& session) {
  std::vector<std::string> words = {"kubectl"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  session.out().Flush();
  session.err().Flush();
  ::execvp("kubectl", pointers.data());
  return session.Fail({.message = std::string("kubectl cannot be run: ") + std::strerror(errno),
                       .hint = "this command is kubectl's own; install kubectl on the PATH",
                       .place = {}});
}

}  // namespace berth::cli
