#include "base/fnv.h"

#include <gtest/gtest.h>

namespace berth::base {
namespace {

TEST(Fnv, HasThePublishedValues) {
  EXPECT_EQ(Fnv1a(""), 0xcbf29ce484222325);
  EXPECT_EQ(Fnv1a("a"), 0xaf63dc4c8601ec8c);
  EXPECT_EQ(Fnv1a("foobar"), 0x85944171f73967e8);
}

TEST(Fnv, TakesBytesAsUnsigned) { EXPECT_EQ(Fnv1a("\xff"), FnvMix(kFnvOffsetBasis, 0xff)); }

}  // namespace
}  // namespace berth::base
