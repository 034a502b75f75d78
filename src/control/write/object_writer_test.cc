#include "control/write/object_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/cohort.h"
#include "control/rate_limit.h"
#include "control/testing/manual_store.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const store::Resource& Cohorts() {
  static const store::Resource kResource = store::ResourceOf<api::Cohort>();
  return kResource;
}

store::Reply AtVersion(const std::string& version) {
  return {.object = {.namespace_ = "", .name = "a", .uid = "u", .resource_version = version}};
}

store::Outcome<store::Reply> Conflict() {
  return std::unexpected(store::Conflict(Cohorts(), "a", store::kObjectWasModified));
}

store::Outcome<store::Reply> Forbidden() {
  return std::unexpected(store::Forbidden(Cohorts(), "a", "not allowed"));
}

class ObjectWriterTest : public ::testing::Test {
 protected:
  // A write whose patch is `body`.
  static ObjectWriter::Write Patch(const std::string& body) {
    return {.build = [body]() -> ObjectWriter::Request {
      return store::Patch{.resource = Cohorts(), .name = "a", .body = body};
    }};
  }
  // A sequence that logs its end in `log_`.
  ObjectWriter::Sequence Sequence(const std::string& name,
                                  std::vector<ObjectWriter::Write> writes) {
    return {
        .writes = std::move(writes),
        .events =
            [name] {
              return std::vector<ObjectWriter::ObjectEvent>{{.regarding = {.name = "a", .uid = "u"},
                                                             .controller = "test",
                                                             .event = {.reason = name}}};
            },
        .on_done =
            [this, name](const ObjectWriter::Result& result) {
              log_.push_back(name + (result.is_written ? " written" : " failed"));
            },
        .replan = [this, name] { log_.push_back(name + " replanned"); }};
  }
  // Writes that were sent so far, without Events.
  std::vector<std::string> Sent() const {
    std::vector<std::string> bodies;
    for (const store::Call& call : store_.calls)
      if (const auto* patch = std::get_if<store::Patch>(&call)) bodies.push_back(patch->body);
    return bodies;
  }
  size_t Events() const { return store_.calls.size() - Sent().size(); }

  const ObjectKey key_ = ObjectKey::Of(Cohorts(), "", "a");
  testing::ManualStore store_;
  testing::ManualExecutor executor_;
  EventRecorder events_{store_, executor_, "one"};
  std::string version_ = "1";  // in the cache
  std::vector<std::string> log_;
  size_t failures_ = 0;
  ObjectWriter writer_{
      store_,
      executor_,
      events_,
      {.find_version = [this](const ObjectKey&) { return std::optional(version_); },
       .upsert = [this](const ObjectKey&,
                        const store::Object& o) { version_ = o.resource_version; }},
      [this](const ObjectKey&, const store::Failure&) { ++failures_; }};
};

TEST_F(ObjectWriterTest, SendsOneRequestPerObjectAtATimeInOrder) {
  writer_.Submit(key_, Sequence("first", {Patch("1"), Patch("2")}));
  writer_.Submit(key_, Sequence("second", {Patch("3")}));
  EXPECT_THAT(Sent(), ElementsAre("1"));
  store_.Answer(AtVersion("2"));
  EXPECT_THAT(Sent(), ElementsAre("1", "2"));
  EXPECT_TRUE(writer_.IsBusy(key_));
  store_.Answer(AtVersion("3"));
  EXPECT_THAT(Sent(), ElementsAre("1", "2", "3"));
  EXPECT_THAT(log_, ElementsAre("first written"));
}

TEST_F(ObjectWriterTest, WritesDifferentObjectsAtTheSameTime) {
  writer_.Submit(key_, Sequence("a", {Patch("1")}));
  writer_.Submit(ObjectKey::Of(Cohorts(), "", "b"), Sequence("b", {Patch("2")}));
  EXPECT_THAT(Sent(), ElementsAre("1", "2"));
}

TEST_F(ObjectWriterTest, RecordsEventsOnlyOnceTheWholeSequenceIsWritten) {
  writer_.Submit(key_, Sequence("first", {Patch("1"), Patch("2")}));
  store_.Answer(AtVersion("2"));
  EXPECT_EQ(Events(), 0u);
  store_.Answer(AtVersion("3"));
  EXPECT_EQ(Events(), 1u);
}

TEST_F(ObjectWriterTest, RecordsNoEventsOfAFailedSequence) {
  writer_.Submit(key_, Sequence("first", {Patch("1")}));
  store_.Answer(Conflict());
  executor_.Advance(kRejectionBackOff);
  EXPECT_EQ(Events(), 0u);
}

TEST_F(ObjectWriterTest, UpsertsTheAnswerIntoTheCache) {
  writer_.Submit(key_, Sequence("first", {Patch("1")}));
  store_.Answer(AtVersion("2"));
  EXPECT_EQ(version_, "2");
}

TEST_F(ObjectWriterTest, KeepsANewerVersionThatTheWatchDeliveredFirst) {
  writer_.Submit(key_, Sequence("first", {Patch("1")}));
  version_ = "7";
  store_.Answer(AtVersion("2"));
  EXPECT_EQ(version_, "7");
}

TEST_F(ObjectWriterTest, DropsTheRestOfASequenceAfterAFailureButNotTheNextSequence) {
  writer_.Submit(key_, Sequence("first", {Patch("1"), Patch("2")}));
  writer_.Submit(key_, Sequence("second", {Patch("3")}));
  store_.Answer(Conflict());
  EXPECT_THAT(Sent(), ElementsAre("1", "3"));
  EXPECT_THAT(log_, ElementsAre("first failed"));
}

TEST_F(ObjectWriterTest, PlansAgainAfterAConflictAtOnceIfTheWatchDeliveredTheNewVersion) {
  writer_.Submit(key_, Sequence("first", {Patch("1")}));
  version_ = "2";
  store_.Answer(Conflict());
  EXPECT_THAT(log_, ElementsAre("first failed", "first replanned"));
}

TEST_F(ObjectWriterTest, PlansAgainAfterAConflictWhenTheWatchIsLate) {
  writer_.Submit(key_, Sequence("first", {Patch("1")}));
  store_.Answer(Conflict());
  EXPECT_THAT(log_, ElementsAre("first failed"));
  EXPECT_FALSE(writer_.IsBusy(key_));
  executor_.Advance(kRejectionBackOff);
  EXPECT_THAT(log_, ElementsAre("first failed", "first replanned"));
  EXPECT_EQ(failures_, 0u);
}

TEST_F(ObjectWriterTest, StaysBusyDuringTheBackOffAfterARejection) {
  writer_.Submit(key_, Sequence("first", {Patch("1")}));
  store_.Answer(Forbidden());
  EXPECT_TRUE(writer_.IsBusy(key_));
  EXPECT_THAT(log_, IsEmpty());
  executor_.Advance(kRejectionBackOff);
  EXPECT_THAT(log_, ElementsAre("first failed", "first replanned"));
  EXPECT_TRUE(writer_.is_idle());
  EXPECT_EQ(failures_, 1u);
}

TEST_F(ObjectWriterTest, RetriesAWriteWithSeveralAttemptsOnTheStateThatTheWatchDelivers) {
  ObjectWriter::Write write = {.build = [this]() -> ObjectWriter::Request {
                                 return store::Patch{
                                     .resource = Cohorts(), .name = "a", .body = version_};
                               },
                               .max_attempts = 2};
  writer_.Submit(key_, Sequence("first", {write}));
  store_.Answer(Conflict());
  EXPECT_THAT(Sent(), ElementsAre("1"));
  version_ = "2";
  writer_.OnWatchEvent(key_);
  EXPECT_THAT(Sent(), ElementsAre("1", "2"));
}

TEST_F(ObjectWriterTest, GivesUpAfterTheLastAttempt) {
  ObjectWriter::Write write = Patch("1");
  write.max_attempts = 2;
  writer_.Submit(key_, Sequence("first", {write}));
  store_.Answer(Forbidden());
  executor_.Advance(kRejectionBackOff);
  EXPECT_THAT(Sent(), ElementsAre("1", "1"));
  store_.Answer(Forbidden());
  EXPECT_THAT(log_, ElementsAre("first failed", "first replanned"));
}

TEST_F(ObjectWriterTest, GivesUpAtOnceIfTheObjectIsInvalid) {
  ObjectWriter::Write write = Patch("1");
  write.max_attempts = 6;
  writer_.Submit(key_, Sequence("first", {write}));
  store_.Answer(std::unexpected(store::Invalid(Cohorts(), "a", {})));
  EXPECT_THAT(log_, ElementsAre("first failed", "first replanned"));
  EXPECT_EQ(failures_, 1u);
}

TEST_F(ObjectWriterTest, DoublesTheBackOffWithEveryRejectionInARow) {
  for (const int64_t seconds : {1, 2, 4, 8, 16, 32, 60, 60}) {
    log_.clear();
    writer_.Submit(key_, Sequence("first", {Patch("1")}));
    store_.Answer(Forbidden());
    executor_.Advance(base::Duration::Milliseconds(1000 * seconds - 1));
    EXPECT_THAT(log_, IsEmpty()) << seconds;
    executor_.Advance(base::Duration::Milliseconds(1));
    EXPECT_THAT(log_, ElementsAre("first failed", "first replanned")) << seconds;
  }
}

TEST_F(ObjectWriterTest, ShortensTheBackOffWhenTheWatchDeliversAnotherVersion) {
  for (int i = 0; i < 3; ++i) {
    writer_.Submit(key_, Sequence("first", {Patch("1")}));
    store_.Answer(Forbidden());
    if (i < 2) executor_.Advance(base::Duration::Seconds(2));
  }
  log_.clear();
  writer_.OnWatchEvent(key_);
  EXPECT_THAT(log_, IsEmpty());
  executor_.Advance(kRejectionBackOff);
  EXPECT_THAT(log_, ElementsAre("first failed", "first replanned"));
}

TEST_F(ObjectWriterTest, SkipsWritesThatHaveNothingToDo) {
  ObjectWriter::Write nothing{
      .build = []() -> ObjectWriter::Request { return ObjectWriter::NothingToWrite{}; }};
  writer_.Submit(key_, Sequence("first", {nothing, Patch("1")}));
  EXPECT_THAT(Sent(), ElementsAre("1"));
}

TEST_F(ObjectWriterTest, EndsAnOutdatedSequenceWithoutARequest) {
  ObjectWriter::Write outdated{
      .build = []() -> ObjectWriter::Request { return ObjectWriter::Outdated{}; }};
  writer_.Submit(key_, Sequence("first", {outdated, Patch("1")}));
  EXPECT_THAT(Sent(), IsEmpty());
  EXPECT_THAT(log_, ElementsAre("first failed", "first replanned"));
}

TEST_F(ObjectWriterTest, WaitsForAWriteThatWasHandedOff) {
  ObjectWriter::Done done;
  ObjectWriter::Write handoff{.build = [&done]() -> ObjectWriter::Request {
    return ObjectWriter::Handoff([&done](ObjectWriter::Done d) { done = std::move(d); });
  }};
  writer_.Submit(key_, Sequence("first", {handoff, Patch("1")}));
  EXPECT_THAT(Sent(), IsEmpty());
  done({.is_written = true});
  EXPECT_THAT(Sent(), ElementsAre("1"));
}

}  // namespace
}  // namespace berth::control
