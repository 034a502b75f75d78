#include "apiserver/rest/protobuf.h"

#include <gmock/gmock.h>

#include <string>

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

// Encoded fields; all are shorter than 128 bytes.
std::string WireText(int number, const std::string& text) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(text.size())} + text;
}
std::string WireNumber(int number, char value) { return {static_cast<char>(number << 3), value}; }
std::string WireEntry(int number, const std::string& key, const std::string& value) {
  return WireText(number, WireText(1, key) + WireText(2, value));
}
std::string WireEnvelope(const std::string& version, const std::string& kind,
                         const std::string& raw) {
  return std::string("k8s\0", 4) + WireText(1, WireText(1, version) + WireText(2, kind)) +
         WireText(2, raw);
}

TEST(ProtocolBuffers, AreConvertedToJson) {
  const std::string metadata = WireText(1, "team") + WireText(2, "") + WireNumber(7, 0) +
                               WireText(8, "") + WireEntry(11, "a", "b");
  EXPECT_EQ(
      ProtobufAsJson(WireEnvelope("v1", "Namespace", WireText(1, metadata) + WireText(3, ""))),
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"team","labels":{"a":"b"}}})");
}

TEST(ProtocolBuffers, KeepSignificantZeros) {
  const std::string spec = WireNumber(1, 0) + WireNumber(7, 6) + WireNumber(10, 0);
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("batch/v1", "Job", WireText(2, spec))),
            R"({"apiVersion":"batch/v1","kind":"Job",)"
            R"("spec":{"parallelism":0,"backoffLimit":6,"suspend":false}})");
  // `paused` is always encoded, and zero means absent.
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("apps/v1", "Deployment", WireText(2, WireNumber(7, 0)))),
            R"({"apiVersion":"apps/v1","kind":"Deployment"})");
}

TEST(ProtocolBuffers, HaveBytesAsBase64AndQuantitiesAsText) {
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("v1", "Secret", WireEntry(2, "key", "hello"))),
            R"({"apiVersion":"v1","kind":"Secret","data":{"key":"aGVsbG8="}})");
  const std::string container = WireText(1, "c") + WireText(3, "echo") + WireText(3, "hi") +
                                WireText(8, WireEntry(2, "cpu", WireText(1, "1")));
  const std::string pod = WireText(2, WireText(2, container));
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("batch/v1", "Job", WireText(2, WireText(6, pod)))),
            R"({"apiVersion":"batch/v1","kind":"Job","spec":{"template":{"spec":{"containers":)"
            R"([{"name":"c","command":["echo","hi"],"resources":{"requests":{"cpu":"1"}}}]}}}})");
}

TEST(ProtocolBuffers, FlattenInlineMessages) {
  const std::string volume = WireText(1, "scratch") + WireText(2, WireText(2, ""));  // emptyDir
  EXPECT_EQ(
      ProtobufAsJson(WireEnvelope("v1", "Pod", WireText(2, WireText(1, volume)))),
      R"({"apiVersion":"v1","kind":"Pod","spec":{"volumes":[{"name":"scratch","emptyDir":{}}]}})");
}

TEST(ProtocolBuffers, ConvertTimesIntOrStringsAndJson) {
  const std::string at = WireNumber(1, 60) + "\x10\xa0\x8d\x06";  // 100,000 nanoseconds
  EXPECT_EQ(
      ProtobufAsJson(WireEnvelope("coordination.k8s.io/v1", "Lease", WireText(2, WireText(3, at)))),
      R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
      R"("spec":{"acquireTime":"1970-01-01T00:01:00.000100Z"}})");
  const std::string ports = WireText(1, WireText(4, WireNumber(1, 1) + WireText(3, "http"))) +
                            WireText(1, WireText(4, WireNumber(1, 0) + WireNumber(2, 80)));
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("v1", "Service", WireText(2, ports))),
            R"({"apiVersion":"v1","kind":"Service",)"
            R"("spec":{"ports":[{"targetPort":"http"},{"targetPort":80}]}})");
  const std::string managed = WireText(7, WireText(1, R"({"f:a":{}})"));
  const std::string metadata =
      WireText(1, std::string("\x8a\x01", 2) + static_cast<char>(managed.size()) + managed);
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("v1", "Secret", metadata)),
            R"({"apiVersion":"v1","kind":"Secret",)"
            R"("metadata":{"managedFields":[{"fieldsV1":{"f:a":{}}}]}})");
}

TEST(ProtocolBuffers, CarryDeleteOptionsOfAnyVersion) {
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("batch/v1", "DeleteOptions", WireText(4, "Orphan"))),
            R"({"apiVersion":"batch/v1","kind":"DeleteOptions","propagationPolicy":"Orphan"})");
}

TEST(ProtocolBuffers, OfNewerClientsMayHaveEmptyNewFields) {
  EXPECT_EQ(ProtobufAsJson(WireEnvelope("v1", "ConfigMap", WireText(9, "") + WireNumber(10, 0))),
            R"({"apiVersion":"v1","kind":"ConfigMap"})");
}

TEST(ProtocolBuffers, WithUnknownFieldsAreRejected) {
  const auto kind = ProtobufAsJson(WireEnvelope("v1", "Endpoints", ""));
  ASSERT_FALSE(kind);
  EXPECT_EQ(kind.error().code(), 415);
  EXPECT_THAT(kind.error().message(), HasSubstr("Endpoints"));
  const auto field = ProtobufAsJson(WireEnvelope("v1", "ConfigMap", WireText(9, "new")));
  ASSERT_FALSE(field);
  EXPECT_EQ(field.error().code(), 415);
  EXPECT_THAT(field.error().message(), HasSubstr("9"));
}

TEST(ProtocolBuffers, ThatAreMalformedAreBadRequests) {
  const std::string whole = WireEnvelope("v1", "ConfigMap", WireText(1, WireText(1, "name")));
  for (const std::string& body : {std::string("{}"), WireEnvelope("v1", "ConfigMap", "\x0a\x7f"),
                                  WireEnvelope("v1", "ConfigMap", WireNumber(1, 1)),
                                  WireEnvelope("v1", "ConfigMap", WireText(4, "x"))}) {
    const auto read = ProtobufAsJson(body);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), 400);
  }
  EXPECT_TRUE(ProtobufAsJson(whole));
}

}  // namespace
}  // namespace berth::apiserver
