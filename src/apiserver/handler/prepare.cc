#include "apiserver/handler/prepare.h"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <random>

#include "apiserver/handler/pod_defaults.h"
#include "apiserver/object_tree.h"
#include "base/base64.h"

namespace berth::apiserver {
namespace {

uint64_t RandomNumber() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) number = std::random_device()();
  return number;
}

json::object& ObjectAt(json::object& parent, std::string_view key) {
  json::value& child = parent[json::BoostView(key)];
  return child.is_object() ? child.get_object() : child.emplace_object();
}

void PrepareNamespace(const HandlerRequest& request, json::value& object) {
  ObjectAt(Metadata(object), "labels")["kubernetes.io/metadata.name"] = request.name;
  ObjectAt(object.get_object(), "spec")["finalizers"] = json::array{"kubernetes"};
  object.get_object()["status"] = {{"phase", "Active"}};
}

// Generates the selector by uid unless manualSelector is set.
void PrepareJob(const HandlerRequest& request, json::value& object) {
  json::object& spec = ObjectAt(object.get_object(), "spec");
  const json::value* manual = spec.if_contains("manualSelector");
  if (manual != nullptr && manual->is_bool() && manual->get_bool()) return;
  const std::string uid(MetaString(object, "uid"));
  json::object& labels = ObjectAt(ObjectAt(ObjectAt(spec, "template"), "metadata"), "labels");
  for (const char* key : {"controller-uid", "batch.kubernetes.io/controller-uid"})
    labels[key] = uid;
  for (const char* key : {"job-name", "batch.kubernetes.io/job-name"}) labels[key] = request.name;
  ObjectAt(ObjectAt(spec, "selector"), "matchLabels")["batch.kubernetes.io/controller-uid"] = uid;
}

// Moves stringData to data as base64.
void FoldStringData(json::value& secret) {
  json::object& object = secret.get_object();
  const json::value* plain = object.if_contains("stringData");
  if (plain == nullptr || !plain->is_object()) return;
  const json::object texts = plain->get_object();
  json::object& data = ObjectAt(object, "data");
  for (const auto& member : texts)
    if (member.value().is_string())
      data[member.key()] = base::EncodeBase64(json::View(member.value().get_string()));
  object.erase("stringData");
}

void PrepareKind(const HandlerRequest& request, json::value& object) {
  const std::string& collection = request.kind->collection;
  if (collection == kNamespaceCollection) PrepareNamespace(request, object);
  if (collection == "jobs.batch") PrepareJob(request, object);
  if (collection == "pods") object.get_object()["status"] = {{"phase", "Pending"}};
  if (collection == "secrets") FoldStringData(object);
}

// Restores everything but metadata and status.
void KeepAllButStatus(const json::value& old_object, json::value& object) {
  json::object& written = object.get_object();
  json::object kept(object.storage());
  const auto take = [&](json::string_view key) {
    if (json::value* value = written.if_contains(key)) kept.emplace(key, std::move(*value));
  };
  for (const auto& member : old_object.get_object()) {
    if (member.key() == "metadata" || member.key() == "status")
      take(member.key());
    else
      kept.emplace(member.key(), member.value());
  }
  for (const char* key : {"metadata", "status"})
    if (!kept.contains(key)) take(key);
  object = std::move(kept);
}

// Restores metadata except managedFields, which status writes also change.
void KeepMetadata(const json::value& old_object, json::value& object) {
  const json::object written = Metadata(object);
  CopyMember(old_object.get_object(), object.get_object(), "metadata");
  CopyMember(written, Metadata(object), "managedFields");
}

void KeepIdentity(const json::value& old_object, json::value& object) {
  const json::value* old_metadata = json::Find(old_object, {"metadata"});
  if (old_metadata == nullptr || !old_metadata->is_object()) return;
  for (const std::string_view key :
       {"name", "namespace", "uid", "creationTimestamp", "generation", "deletionTimestamp",
        "deletionGracePeriodSeconds", "resourceVersion", "generateName"})
    CopyMember(old_metadata->get_object(), Metadata(object), key);
}

}  // namespace

std::string NewUid() {
  const std::array<uint64_t, 2> random = {RandomNumber(), RandomNumber()};
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string uid;
  for (size_t i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) uid += '-';
    uint64_t digit = (random[i / 16] >> (i % 16 * 4)) & 0xf;
    if (i == 12) digit = 4;                    // version 4: random
    if (i == 16) digit = 0x8 | (digit & 0x3);  // RFC 4122 variant
    uid += kDigits[digit];
  }
  return uid;
}

std::string NewName(std::string_view prefix) {
  static constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  static constexpr size_t kLongestPrefix = 58;
  std::string name(prefix.substr(0, kLongestPrefix));
  uint64_t random = RandomNumber();
  for (int i = 0; i < 5; ++i, random /= kLetters.size()) name += kLetters[random % kLetters.size()];
  return name;
}

void PrepareForCreate(const HandlerRequest& request, base::Time now, json::value& object) {
  json::object& metadata = Metadata(object);
  for (const char* key : {"resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds",
                          "selfLink", "generation"})
    metadata.erase(key);
  metadata["name"] = request.name;
  if (request.resource().is_namespaced) metadata["namespace"] = request.namespace_;
  metadata["uid"] = NewUid();
  metadata["creationTimestamp"] = base::FormatTime(now);
  if (request.kind->has_generation) metadata["generation"] = 1;
  // A kubelet registers its node together with the status.
  if (request.has_status() && request.kind->collection != "nodes")
    object.get_object().erase("status");
  PrepareKind(request, object);
  ApplyPodDefaults(request.kind->collection, object);
}

void PrepareToStore(const HandlerRequest& request, json::value& object) {
  if (request.kind->collection != "jobs.batch") return;
  const json::value* own = Metadata(object).if_contains("labels");
  if (own != nullptr && own->is_object() && !own->get_object().empty()) return;
  if (const json::value* labels = json::Find(object, {"spec", "template", "metadata", "labels"}))
    Metadata(object)["labels"] = *labels;
}

void PrepareForUpdate(const HandlerRequest& request, const json::value& old_object,
                      json::value& object) {
  if (request.IsStatus()) {
    KeepAllButStatus(old_object, object);
    // /status of a custom resource leaves other metadata alone; built-in kinds do not.
    if (request.kind->is_custom) KeepMetadata(old_object, object);
  } else if (request.has_status()) {
    CopyMember(old_object.get_object(), object.get_object(), "status");
  }
  KeepIdentity(old_object, object);
  ApplyPodDefaults(request.kind->collection, object);
  if (request.kind->collection == "secrets") FoldStringData(object);
  if (request.kind->collection == kNamespaceCollection) {
    CopyMember(old_object.get_object(), object.get_object(), "spec");
    ObjectAt(Metadata(object), "labels")["kubernetes.io/metadata.name"] = request.name;
  }
}

void CountGeneration(const HandlerRequest& request, const json::value& old_object,
                     json::value& object) {
  if (!request.kind->has_generation) return;
  const bool is_same =
      request.has_status()
          ? SameExcept(old_object.get_object(), object.get_object(), {"metadata", "status"})
          : SameExcept(old_object.get_object(), object.get_object(), {"metadata"});
  Metadata(object)["generation"] = Generation(old_object) + (is_same ? 0 : 1);
}

}  // namespace berth::apiserver
