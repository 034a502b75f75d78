// Every subcommand with files and numbers that are none: an error that names the file or the flag
// and says what to do, and a nonzero exit code.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/random.h"
#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using ::testing::AnyOf;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::Shell;

constexpr std::string_view kQueue = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
)";

std::string RandomBytes(size_t size) {
  base::Random random(7);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.Below(256));
  return bytes;
}

// Nine times nine times nine …
std::string AliasBomb() {
  std::string yaml = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name < 'm'; ++name) {
    yaml += std::string(1, name) + ": &" + name + " [";
    for (int i = 0; i < 9; ++i) yaml += std::string(i == 0 ? "" : ", ") + '*' + char(name - 1);
    yaml += "]\n";
  }
  return yaml;
}

std::string Replaced(std::string text, std::string_view mark, const std::string& by) {
  for (size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
  return text;
}

class Garbage : public ::testing::Test {
 protected:
  Garbage() {
    folder_.Write("queue.yaml", kQueue);
    folder_.Write("binary.yaml", RandomBytes(5000));
    folder_.Write("zeros.yaml", std::string(5000, '\0'));
    folder_.Write("cut.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a");
    folder_.Write("bomb.yaml", AliasBomb());
    folder_.Write("deep.yaml", "a: " + std::string(100'000, '['));
    folder_.Write("scalar.yaml", "42\n");
    std::filesystem::create_directories(folder_.path() / "folder.yaml/below.yaml");
    std::filesystem::create_directories(folder_.path() / "journal/journal-000001");
    std::filesystem::create_symlink(folder_ / "loop.yaml", folder_ / "loop.yaml");
  }

  // QUEUE is a valid file, IN the folder of the garbage.
  Outcome Run(std::string command) const {
    command = Replaced(std::move(command), "QUEUE", folder_ / "queue.yaml");
    command = Replaced(std::move(command), "IN/", folder_ / "");
    return Shell("ulimit -c 0; HOME=" + folder_ / "home" + " timeout 20 $BERTH " + command);
  }

  void ExpectRefusal(const std::string& command, const std::string& named) const {
    SCOPED_TRACE("berth " + command);
    const Outcome outcome = Run(command);
    EXPECT_THAT(outcome.exit_code, AnyOf(1, 2));
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr(named));
    EXPECT_THAT(outcome.err, Not(HasSubstr("terminate called")));
  }

  const Folder folder_;
};

TEST_F(Garbage, InFilesIsReportedWithTheFile) {
  for (const std::string command : {"lint @",
                                    "test @",
                                    "explain -f @ a",
                                    "explain -f QUEUE --config @ a",
                                    "explain --kubeconfig @ a",
                                    "plan -f @ --change QUEUE",
                                    "plan -f QUEUE --change @",
                                    "simulate --generator @",
                                    "simulate -f QUEUE --config @",
                                    "simulate -f QUEUE --edit 1h=@",
                                    "install --config @",
                                    "install --integrations @",
                                    "replay @",
                                    "history --journal @",
                                    "report --journal @",
                                    "up --in-memory --port 0 -f @",
                                    "up --in-memory --port 0 --config @",
                                    "up --in-memory --port 0 --nodes @",
                                    "up --in-memory --port 0 --integrations @",
                                    "controller --config @",
                                    "controller --kubeconfig @",
                                    "ctl list clusterqueue --kubeconfig @"})
    for (const std::string file : {"missing.yaml", "binary.yaml", "zeros.yaml", "cut.yaml",
                                   "bomb.yaml", "deep.yaml", "scalar.yaml", "loop.yaml"})
      ExpectRefusal(Replaced(command, "@", "IN/" + file), file);
}

TEST_F(Garbage, InFoldersIsReportedWithTheFile) {
  for (const std::string command :
       {"install --integrations IN/folder.yaml", "lint IN/folder.yaml",
        "explain -f QUEUE --config IN/folder.yaml a", "simulate --generator IN/folder.yaml",
        "up --in-memory --port 0 --integrations IN/folder.yaml",
        "up --in-memory --port 0 --nodes IN/folder.yaml", "replay IN/folder.yaml",
        "controller --kubeconfig IN/folder.yaml", "controller --integrations IN/folder.yaml",
        "ctl list clusterqueue --kubeconfig IN/folder.yaml"})
    ExpectRefusal(command, "folder.yaml");
  for (const std::string command : {"replay", "history --journal", "report --journal"})
    ExpectRefusal(command + " IN/journal", "journal-000001: Is a directory");
}

TEST_F(Garbage, InTracesIsReportedWithTheFile) {
  for (const std::string type : {".csv", ".jsonl", ".swf"}) {
    folder_.Write("trace" + type, RandomBytes(5000));
    ExpectRefusal("simulate -f QUEUE --queue team/main --trace IN/trace" + type, "trace" + type);
  }
}

TEST_F(Garbage, InNumbersIsReportedWithTheFlag) {
  for (const auto& [command, flags] : std::vector<std::pair<std::string, std::string>>{
           {"test QUEUE", "--jobs"},
           {"simulate --until 1m --generator " BERTH_SOURCE_DIR "/examples/simulate/baseline.yaml",
            "--seed --rows --worlds --spread --cycle-time --run-time"
            " --ready-after --stop-time --starvation-after --at --fail-if"
            " --edit"},
           {"install", "--replicas"},
           {"plan -f QUEUE --change QUEUE", "--at --feature-gates"},
           {"explain -f QUEUE a", "--at"},
           {"history --journal IN/journal", "--at --from --to"},
           {"report --journal IN/journal", "--from --to --by"},
           {"replay IN/journal", "--at"},
           {"up --in-memory --port 0", "--port --dashboard-port --run-time --failure-rate"},
           {"up --data-dir IN/data --port 0", "--journal-age"},
           {"ctl --kubeconfig IN/missing.yaml list clusterqueue", "--request-timeout"}}) {
    std::istringstream names(flags);
    for (std::string flag; names >> flag;)
      for (const std::string number : {"-5", "99999999999999999999999", "nan", "x"})
        ExpectRefusal(command + " " + flag + "=" + number, flag);
  }
}

TEST_F(Garbage, InArgumentsIsReported) {
  for (const std::string command : {"up", "lint", "test", "explain", "plan", "replay", "history",
                                    "report", "simulate", "controller", "install", "crds",
                                    "reference", "version", "completion", "ctl list clusterqueue"})
    for (const std::string argument : {"--no-such-flag", "-Z", "$'\\xff\\xfe'", "a b c d e f"})
      ExpectRefusal(command + " " + argument, "");
}

TEST_F(Garbage, IsNotWhatAFullDiskLeavesBehindUnnoticed) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "/dev/full not found";
  for (const std::string command :
       {"crds", "install", "version", "reference configuration", "completion bash", "lint QUEUE",
        "lint -o json QUEUE", "--help"})
    ExpectRefusal(command + " >/dev/full", "is the disk full?");
  for (const std::string flag : {"--timeline", "--metrics", "--html"})
    ExpectRefusal("simulate --generator " BERTH_SOURCE_DIR
                  "/examples/simulate/baseline.yaml "
                  "--until 1m " +
                      flag + " /dev/full",
                  "/dev/full");
}

}  // namespace
}  // namespace berth::cli
