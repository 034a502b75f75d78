#include "cli/ctl/ctl_scripts.h"

namespace berth::cli {
namespace {

constexpr const char* kBashScript =
    R"(# Completion of kubectl-kueue for bash. Load it with: source <(kubectl-kueue completion bash)
_kubectl_kueue() {
  local program=${COMP_WORDS[0]} line
  type -P "$program" >/dev/null || program=kubectl-kueue # an alias
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
    :0) compopt -o default ;;
    :6) compopt -o nospace ;;
    :*) ;;
    *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("$program" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _kubectl_kueue kubectl-kueue kubectl-berth kueuectl
)";

constexpr const char* kZshScript = R"(#compdef kubectl-kueue kubectl-berth kueuectl
# Completion of kubectl-kueue for zsh. Load it with: source <(kubectl-kueue completion zsh)
_kubectl_kueue() {
  local program=${words[1]} line directive=
  local -a candidates
  (( $+commands[$program] )) || program=kubectl-kueue # an alias
  for line in "${(@f)$($program __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :* ]]; then
      directive=$line
    elif [[ -n $line ]]; then
      candidates+=("${${line//:/\\:}/$'\t'/:}")
    fi
  done
  case $directive in
    :0) _files ;;
    :6) _describe -V candidate candidates -S '' ;;
    *) _describe -V candidate candidates ;;
  esac
}
if [[ $funcstack[1] == _kubectl_kueue ]]; then
  _kubectl_kueue "$@"
else
  compdef _kubectl_kueue kubectl-kueue kubectl-berth kueuectl
fi
)";

constexpr const char* kFishScript =
    R"(# Completion of kubectl-kueue for fish. Load it with: kubectl-kueue completion fish | source
function __kubectl_kueue_candidates
  set -l words (commandline -opc)
  set -l program $words[1]
  command -q $program; or set program kubectl-kueue # an alias
  $program __complete $words[2..] (commandline -ct) 2>/dev/null | string match -v ':*'
end
for program in kubectl-kueue kubectl-berth kueuectl
  complete -c $program -f -a '(__kubectl_kueue_candidates)'
end
)";

}  // namespace

std::string CtlCompletionScript(std::string_view shell) {
  if (shell == "bash") return kBashScript;
  return shell == "zsh" ? kZshScript : kFishScript;
}

}  // namespace berth::cli
