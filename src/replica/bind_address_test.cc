#include "replica/bind_address.h"

#include <gtest/gtest.h>

namespace berth::replica {
namespace {

TEST(BindAddress, AcceptsTheFormsOfTheConfiguration) {
  EXPECT_EQ(**ParseBindAddress(":8081"), (BindAddress{.ip = "0.0.0.0", .port = 8081}));
  EXPECT_EQ(**ParseBindAddress("127.0.0.1:0"), (BindAddress{.ip = "127.0.0.1", .port = 0}));
  EXPECT_EQ(**ParseBindAddress("localhost:1"), (BindAddress{.ip = "127.0.0.1", .port = 1}));
  EXPECT_EQ(**ParseBindAddress("[::]:8081"), (BindAddress{.ip = "::", .port = 8081}));
}

TEST(BindAddress, MayDisableTheServer) {
  EXPECT_FALSE(ParseBindAddress("0")->has_value());
  EXPECT_FALSE(ParseBindAddress("")->has_value());
}

TEST(BindAddress, MustHaveAPort) {
  for (const char* text : {"8081", "a:", "a:b", "a:70000", ":1x"})
    EXPECT_FALSE(ParseBindAddress(text)) << text;
}

}  // namespace
}  // namespace berth::replica
