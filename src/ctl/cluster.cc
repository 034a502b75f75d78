#include "ctl/cluster.h"

#include <iterator>
#include <utility>

#include "apiserver/patch/patch.h"
#include "ctl/failure.h"
#include "json/json.h"
#include "store/wait_for.h"

namespace berth::ctl {
namespace {

constexpr std::string_view kFieldManager = "kubectl-kueue";

store::WriteOptions WriteOptionsFor(DryRun dry_run) {
  return {.is_dry_run = dry_run == DryRun::kServer, .field_manager = std::string(kFieldManager)};
}

// The object as the patch would make it.
base::Result<store::Object> Patched(const store::Object& object, const std::string& patch) {
  auto before = json::Parse(object.text());
  if (!before) return std::unexpected(before.error());
  const auto change = json::Parse(patch);
  if (!change) return std::unexpected(change.error());
  auto after = apiserver::ApplyMergePatch(std::move(*before), *change);
  if (!after) return base::Fail(after.error().message);
  return store::Object::FromJson(json::Print(*after));
}

base::Result<store::Object> ObjectOf(store::Outcome<store::Reply> reply) {
  if (!reply) return std::unexpected(ErrorOf(reply.error()));
  return std::move(reply->object);
}

}  // namespace

store::Outcome<store::Reply> Cluster::Do(store::Call call) {
  auto reply = store::WaitFor(store_, std::move(call), options_.answer_limit);
  if (reply) warnings_.insert(warnings_.end(), reply->warnings.begin(), reply->warnings.end());
  return reply;
}

store::Outcome<store::Object> Cluster::TryGet(const store::Get& get) {
  auto reply = Do(get);
  if (!reply) return std::unexpected(std::move(reply.error()));
  return std::move(reply->object);
}

base::Result<store::Object> Cluster::Get(const store::Get& get) { return ObjectOf(Do(get)); }

base::Result<std::vector<store::Object>> Cluster::List(const store::Resource& resource,
                                                       const store::Selection& selection) {
  std::vector<store::Object> objects;
  store::List list{.resource = resource, .selection = selection, .limit = options_.page_size};
  do {
    auto page = Do(list);
    if (!page && page.error().IsExpired() && !list.continue_token.empty()) {
      objects.clear();  // the list took too long: read it at once
      list.continue_token.clear();
      list.limit = 0;
      page = Do(list);
    }
    if (!page) return std::unexpected(ErrorOf(page.error()));
    std::ranges::move(page->items, std::back_inserter(objects));
    list.continue_token = page->continue_token;
  } while (!list.continue_token.empty());
  return objects;
}

base::Result<store::Object> Cluster::Create(const store::Resource& resource,
                                            const std::string& object, DryRun dry_run) {
  auto parsed = store::Object::FromJson(object);
  if (!parsed) return parsed;
  return ObjectOf(Do(store::Create{.resource = resource,
                                   .namespace_ = parsed->namespace_,
                                   .object = object,
                                   .options = WriteOptionsFor(dry_run)}));
}

base::Result<store::Object> Cluster::Patch(const store::Resource& resource,
                                           const store::Object& object, const std::string& patch,
                                           DryRun dry_run) {
  if (dry_run == DryRun::kClient) return Patched(object, patch);
  return ObjectOf(Do(store::Patch{.resource = resource,
                                  .namespace_ = object.namespace_,
                                  .name = object.name,
                                  .subresource = {},
                                  .type = store::PatchType::kMerge,
                                  .body = patch,
                                  .options = WriteOptionsFor(dry_run)}));
}

base::Result<void> Cluster::Delete(const store::Resource& resource, const store::ObjectName& name,
                                   DryRun dry_run) {
  if (dry_run == DryRun::kClient) return {};
  const auto reply = Do(store::Delete{.resource = resource,
                                      .namespace_ = name.namespace_,
                                      .name = name.name,
                                      .options = {.propagation = store::Propagation::kBackground,
                                                  .is_dry_run = dry_run == DryRun::kServer}});
  if (!reply && !reply.error().IsNotFound()) return std::unexpected(ErrorOf(reply.error()));
  return {};
}

}  // namespace berth::ctl
