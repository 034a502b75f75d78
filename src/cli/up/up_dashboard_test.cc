// The pages of the dashboard of `berth up`, in a real browser.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "cli/testing/process.h"
#include "cli/testing/up_process.h"

namespace berth::cli {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::Shell;
using testing::UpProcess;

constexpr const char* kWeb = BERTH_SOURCE_DIR "/web";

// "http://127.0.0.1:PORT/#token=…"
std::string DashboardUrl(const std::string& out) {
  const size_t begin = out.find("http://", out.find("Dashboard  "));
  return out.substr(begin, out.find('\n', begin) - begin);
}

// web/e2e visits every page in light and dark, wide and narrow: no message on the console, no
// serious finding of axe, live updates, explanations, a changed quota, and the login.
TEST(DashboardPages, WorkInABrowser) {
  if (Shell("command -v chromium").exit_code != 0) GTEST_SKIP() << "there is no Chromium";
  if (!std::filesystem::exists(std::string(kWeb) + "/node_modules/vitest"))
    GTEST_SKIP() << "the packages of web/package-lock.json are not installed";
  const Folder folder;
  UpProcess up(folder.path() / "data", {"--demo", "--run-time", "30m", "--dashboard-port", "0"});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  const std::string change = "$BERTH ctl --kubeconfig " + folder / "data/kubeconfig" +
                             " create localqueue more -n research -c research";
  const Outcome outcome =
      Shell("export BERTH BERTH_DASHBOARD_URL='" + DashboardUrl(up.out()) +
            "' BERTH_DASHBOARD_CHANGE='" + change + "'\ncd " + kWeb + " && npm run --silent e2e");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  up.Signal(SIGTERM);
  EXPECT_EQ(up.WaitForEnd(), 0) << up.out();
}

}  // namespace
}  // namespace berth::cli
