#include "http/private_file.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

// Such a read throws in the standard library's streams.
TEST(PrivateFile, OfADirectoryHasNoContent) { EXPECT_FALSE(ReadWholeFile(::testing::TempDir())); }

}  // namespace
}  // namespace berth::http
