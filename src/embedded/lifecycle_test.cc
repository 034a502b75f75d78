// What Kueue's users see, step by step: recordings of the real thing, played against the embedded
// cluster.

#include "embedded/testing/lifecycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "api/testing/shared_data.h"

namespace berth::embedded {
namespace {

std::vector<std::string> Recordings() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(api::testing::SharedPath("lifecycles"), error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

class Lifecycle : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Lifecycle);

TEST_P(Lifecycle, IsThatOfKueue) {
  const auto text = api::testing::ReadShared("lifecycles/" + GetParam() + ".json");
  ASSERT_TRUE(text.has_value());
  const auto recording = store::ParseJson(*text);
  ASSERT_TRUE(recording.has_value());
  for (const std::string& difference : testing::PlayLifecycle(*recording))
    ADD_FAILURE() << difference;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Lifecycle, ::testing::ValuesIn(Recordings()), [](const auto& i) {
  std::string name;
  for (const char c : i.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace berth::embedded
