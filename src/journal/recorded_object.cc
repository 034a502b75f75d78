#include "journal/recorded_object.h"

#include <utility>

#include "api/meta/registry.h"
#include "schema/thread_decoder.h"

namespace berth::journal {
namespace {

std::string TitleOf(const Upsert& object) {
  return object.kind + " " + (object.namespace_.empty() ? "" : object.namespace_ + "/") +
         object.name;
}

std::unexpected<base::Error> UnreadableObject(const Upsert& object,
                                              const schema::Problems& problems) {
  return base::Fail(TitleOf(object) + " not readable" +
                    (problems.empty() ? "" : ": " + schema::ToString(problems.front())));
}

template <class T>
bool DecodePart(const Upsert& upsert, size_t part, T& out, schema::Problems& problems) {
  auto decoded = schema::DecodeHere<T>(upsert.parts[part]);
  if (decoded) {
    out = *std::move(decoded);
  } else {
    problems = std::move(decoded.error());
  }
  return problems.empty();
}

bool IsWorkloadKind(std::string_view api_version, std::string_view kind) {
  return kind == api::Workload::KindInfo().kind &&
         api::FindKind(api_version, kind).kind == &api::Workload::KindInfo();
}

}  // namespace

bool IsWorkload(const Upsert& upsert) { return IsWorkloadKind(upsert.api_version, upsert.kind); }
bool IsWorkload(const Removal& removal) {
  return IsWorkloadKind(removal.api_version, removal.kind);
}

base::Result<api::Workload> WorkloadOf(const Upsert& upsert) {
  api::Workload workload;
  schema::Problems problems;
  if (upsert.parts.size() != 3 || !DecodePart(upsert, 0, workload.metadata, problems) ||
      !DecodePart(upsert, 1, workload.spec, problems) ||
      !DecodePart(upsert, 2, workload.status, problems))
    return UnreadableObject(upsert, problems);
  if (workload.metadata.uid.empty()) return base::Fail(TitleOf(upsert) + " has no uid");
  return workload;
}

base::Result<api::Object> ObjectOf(const Upsert& upsert) {
  const api::FoundKind found = api::FindKind(upsert.api_version, upsert.kind);
  if (!found) return base::Fail("kind " + upsert.kind + " of " + upsert.api_version + " not known");
  api::Object object(*found.kind);
  if (upsert.parts.size() != 1 || object.metadata() == nullptr) return UnreadableObject(upsert, {});
  const schema::Problems problems =
      schema::ThreadDecoder().Decode(upsert.parts.front(), *found.kind, object.value());
  if (!problems.empty()) return UnreadableObject(upsert, problems);
  return object;
}

}  // namespace berth::journal
