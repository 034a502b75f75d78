// The official Python client against the whole server; see testing/python_client.py. BERTH_PYTHON
// names an interpreter with the package `kubernetes`.

#include <gtest/gtest.h>

#include "apiserver/testing/api_server.h"
#include "apiserver/testing/command.h"

namespace berth::apiserver {
namespace {

TEST(PythonClient, Passes) {
  const std::string python = testing::FindPythonWithClient(BERTH_SOURCE_DIR);
  if (python.empty())
    GTEST_SKIP() << "there is no Python client on this machine; tools/setup-clients";
  testing::ApiServer server;
  ASSERT_EQ(server.error(), "");
  const auto result =
      testing::RunCommand({python, BERTH_SOURCE_DIR "/src/apiserver/testing/python_client.py"}, {},
                          {{"KUBECONFIG", server.kubeconfig().string()}});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace berth::apiserver
