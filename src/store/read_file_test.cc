#include "store/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace berth::store {
namespace {

using ::testing::HasSubstr;

class ReadFileTest : public ::testing::Test {
 protected:
  ~ReadFileTest() override { std::filesystem::remove_all(folder_); }
  std::string ErrorOf(const std::filesystem::path& path, size_t most = 100) {
    const auto text = ReadFile(path, most);
    return text ? "" : base::ToString(text.error());
  }
  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("read-file-" + std::to_string(::getpid()));
};

TEST_F(ReadFileTest, ReturnsTheWholeContent) {
  std::filesystem::create_directory(folder_);
  const std::string content = std::string(200'000, 'a') + '\0' + "b";
  std::ofstream(folder_ / "file", std::ios::binary) << content;
  EXPECT_EQ(ReadFile(folder_ / "file").value_or(""), content);
}

TEST_F(ReadFileTest, FailsWithTheReason) {
  std::filesystem::create_directory(folder_);
  std::ofstream(folder_ / "long") << std::string(101, 'a');
  EXPECT_THAT(ErrorOf(folder_), HasSubstr(folder_.string() + ": Is a directory"));
  EXPECT_THAT(ErrorOf(folder_ / "none"), HasSubstr("none: No such file"));
  EXPECT_THAT(ErrorOf(folder_ / "long"), HasSubstr("more than 100 bytes"));
  EXPECT_EQ(ErrorOf(folder_ / "long", 101), "");
}

}  // namespace
}  // namespace berth::store
