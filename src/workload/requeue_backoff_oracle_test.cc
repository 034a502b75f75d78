// Delays after evictions agree with Kueue's.

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>

#include "api/testing/shared_data.h"
#include "workload/requeue_backoff.h"

namespace berth::workload {
namespace {

using simdjson::dom::element;

int64_t IntOf(const element& value) { return value.get_int64().value(); }
int32_t Int32Of(const element& value) { return static_cast<int32_t>(IntOf(value)); }
int64_t NanosOf(const element& value) {
  return std::stoll(std::string(value.get_string().value()));
}

void ExpectDelay(const element& test) {
  const BackoffSettings settings{.base_seconds = Int32Of(test["baseSeconds"]),
                                 .max_seconds = Int32Of(test["maxSeconds"])};
  const std::optional<int32_t> count =
      test["count"].is_null() ? std::nullopt : std::optional(Int32Of(test["count"]));
  const base::Time now = base::Time::FromSeconds(1000);
  const Requeue requeue = NextRequeue(settings, count, std::nullopt, now, 0);
  EXPECT_EQ(requeue.count, Int32Of(test["newCount"]));
  EXPECT_EQ((requeue.at - now).nanos / 1000, NanosOf(test["delayNs"]) / 1000);
  EXPECT_EQ(BackoffDelay(settings, requeue.count, 0).nanos, NanosOf(test["delayNs"]));
  EXPECT_EQ(BackoffDelay(settings, requeue.count, 1).nanos,
            NanosOf(test["delayNs"]) + NanosOf(test["jitterBoundNs"]));
}

void ExpectLaterKept(const element& test) {
  const int64_t delay = IntOf(test["newRequeueAtSec"]);
  const Requeue requeue = NextRequeue({.base_seconds = static_cast<int32_t>(delay)}, std::nullopt,
                                      base::Time::FromSeconds(IntOf(test["existingRequeueAtSec"])),
                                      base::Time::FromSeconds(0), 0);
  EXPECT_EQ(requeue.count, Int32Of(test["newCount"]));
  EXPECT_EQ(requeue.at.seconds(), IntOf(test["resultSec"]));
}

TEST(RequeueBackoffOracle, DelaysAgree) {
  const auto text = api::testing::ReadShared("oracle/requeue-backoff.json");
  if (!text) GTEST_SKIP() << "shared/oracle/requeue-backoff.json not found";
  simdjson::dom::parser parser;
  element document = parser.parse(*text);
  for (element test : document["cases"].get_array()) {
    SCOPED_TRACE(std::string(simdjson::minify(test)));
    if (test["kind"].error()) {
      ExpectDelay(test);
    } else {
      ExpectLaterKept(test);
    }
  }
}

}  // namespace
}  // namespace berth::workload
