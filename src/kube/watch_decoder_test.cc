#include "kube/watch_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::kube {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kStream =
    R"({"type":"ADDED","object":{"kind":"Job","metadata":{"name":"a","resourceVersion":"5"}}})"
    "\n"
    R"({"object":{"metadata":{"name":"a","resourceVersion":"6"}},"type":"MODIFIED"})"
    "\r\n\n"
    R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"8",)"
    R"("annotations":{"k8s.io/initial-events-end":"true"}}}})"
    "\n"
    R"({"type":"DELETED","object":{"metadata":{"name":"a","resourceVersion":"9"}}})"
    "\n";

// "ADDED a 5" and so on, however the stream is cut.
std::vector<std::string> DecodeInPieces(std::string_view stream, size_t piece) {
  std::vector<std::string> told;
  WatchDecoder decoder;
  for (size_t at = 0; at < stream.size(); at += piece) {
    for (const auto& event : decoder.Decode(stream.substr(at, piece))) {
      if (!event) {
        told.push_back(store::ToString(event.error()));
        return told;
      }
      told.push_back(std::to_string(static_cast<int>(event->kind)) + event->object.name + "@" +
                     event->object.resource_version + (event->ends_initial_events ? "!" : ""));
    }
  }
  return told;
}

TEST(WatchDecoder, DoesNotDependOnHowTheBytesAreSplit) {
  for (const size_t piece : {1u, 2u, 7u, 64u, 4096u})
    EXPECT_THAT(DecodeInPieces(kStream, piece),
                ::testing::ElementsAre("0a@5", "1a@6", "3@8!", "2a@9"))
        << piece;
}

TEST(WatchDecoder, CarriesTheStatusOfTheServer) {
  WatchDecoder decoder;
  const auto events = decoder.Decode(
      R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",)"
      R"("message":"too old","reason":"Expired","code":410}})"
      "\n");
  ASSERT_EQ(events.size(), 1u);
  ASSERT_FALSE(events[0]);
  EXPECT_TRUE(events[0].error().IsExpired());
}

TEST(WatchDecoder, StopsAtAnInvalidLine) {
  for (const char* line : {"x\n", "[]\n", "{}\n",
                           R"({"type":"ODD","object":{}})"
                           "\n",
                           R"({"type":"ADDED","object":1})"
                           "\n"}) {
    WatchDecoder decoder;
    const auto events = decoder.Decode(std::string(line) + std::string(kStream));
    ASSERT_EQ(events.size(), 1u) << line;
    ASSERT_FALSE(events[0]) << line;
    EXPECT_EQ(events[0].error().code(), 0) << "it is as if the connection had broken";
  }
}

TEST(WatchDecoder, LimitsTheLengthOfALine) {
  WatchDecoder decoder({.line_bytes = 10});
  EXPECT_TRUE(decoder.Decode("0123456789").empty());
  const auto events = decoder.Decode("0");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_THAT(events[0].error().message(), HasSubstr("too long"));
}

}  // namespace
}  // namespace berth::kube
