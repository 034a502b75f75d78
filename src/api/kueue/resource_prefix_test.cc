#include "api/kueue/resource_prefix.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::api {
namespace {

TEST(ExcludedResource, IsThePrefixItself) {
  EXPECT_TRUE(PrefixExcludes("cpu", "cpu"));
  EXPECT_TRUE(PrefixExcludes("example.com/gpu", "example.com/gpu"));
  EXPECT_FALSE(PrefixExcludes("memory", "cpu"));
  EXPECT_FALSE(PrefixExcludes("example.com/gpu", "example.com"));
}

TEST(ExcludedResource, BelongsToThePrefixsDomain) {
  EXPECT_TRUE(PrefixExcludes("example.com", "example.com/gpu"));
  EXPECT_FALSE(PrefixExcludes("example.com", "example.community/gpu"));
  EXPECT_FALSE(PrefixExcludes("example", "example.com/gpu"));
}

TEST(ExcludedResource, BeginsWithAPrefixThatEndsInAMark) {
  EXPECT_TRUE(PrefixExcludes("hugepages-", "hugepages-2Mi"));
  EXPECT_TRUE(PrefixExcludes("example.com/", "example.com/gpu"));
  EXPECT_TRUE(PrefixExcludes("example.", "example.com/gpu"));
  EXPECT_FALSE(PrefixExcludes("ephemeral", "ephemeral-storage"));
  EXPECT_FALSE(PrefixExcludes("hugepages-2", "hugepages-2Mi"));
  EXPECT_FALSE(PrefixExcludes("example.com/g", "example.com/gpu"));
}

TEST(ExcludedResource, IsNoneForTheEmptyPrefix) {
  EXPECT_FALSE(PrefixExcludes("", "cpu"));
  EXPECT_FALSE(PrefixExcludes("cpu", ""));
}

TEST(ResourcePrefix, IsTheBeginningOfSomeResourceName) {
  for (const char* text : {"cpu", "hugepages-", "example.com", "example.com/", "example.com/gpu-",
                           "Gpu", "a.", "a_"}) {
    EXPECT_TRUE(CanBeginResourceName(text)) << text;
  }
  EXPECT_TRUE(CanBeginResourceName("example.com/" + std::string(63, 'x')));
}

TEST(ResourcePrefix, IsNothingThatNoNameBeginsWith) {
  for (const char* text : {"", "-a", "a b", "/gpu", "a/b/", "Example.com/", "a..b/", "a-./", "é"}) {
    EXPECT_FALSE(CanBeginResourceName(text)) << text;
  }
  EXPECT_FALSE(CanBeginResourceName("example.com/" + std::string(64, 'x')));
}

}  // namespace
}  // namespace berth::api
