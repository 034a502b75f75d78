#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "api/core/pod.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/well_known.h"
#include "base/text.h"
#include "cli/ctl/ctl_command.h"
#include "cli/ctl/pending_positions.h"
#include "ctl/decoded.h"
#include "ctl/flag_values.h"
#include "ctl/pods.h"
#include "ctl/queue_tables.h"
#include "ctl/workload_table.h"
#include "store/system_time.h"

namespace berth::cli {
namespace {

// Flags of every `list`.
struct ListFlags {
  OutputFlags output;
  std::string label_selector;
  std::string field_selector;
  bool is_everywhere = false;  // --all-namespaces
};

void AddListFlags(CLI::App& app, ListFlags& flags, bool is_namespaced) {
  AddOutputFlags(app, flags.output);
  app.add_option("-l,--selector", flags.label_selector, "Label selector, such as team=a,tier!=low")
      ->option_text("SELECTOR");
  app.add_option("--field-selector", flags.field_selector,
                 "Field selector, such as metadata.name=a")
      ->option_text("SELECTOR");
  if (is_namespaced)
    app.add_flag("-A,--all-namespaces", flags.is_everywhere, "List in all namespaces");
}

template <class T>
void AddClusterQueueFilter(CLI::App& app, T& flags) {
  app.add_option("-c,--clusterqueue", flags.cluster_queue, "Only those of this ClusterQueue")
      ->option_text("NAME");
}

// The objects of a list, decoded and as the server sent them.
template <class T>
struct ListedObjects {
  std::vector<store::Object> objects;
  std::vector<T> decoded;

  template <class Predicate>
  void Keep(Predicate passes) {
    ListedObjects kept;
    for (size_t i = 0; i < objects.size(); ++i) {
      if (!passes(decoded[i])) continue;
      kept.objects.push_back(std::move(objects[i]));
      kept.decoded.push_back(std::move(decoded[i]));
    }
    *this = std::move(kept);
  }
};

store::Selection SelectionOf(const ListFlags& flags, const store::Resource& resource,
                             const CtlSession& session) {
  const bool is_one_namespace = resource.is_namespaced && !flags.is_everywhere;
  return {.namespace_ = is_one_namespace ? session.namespace_name() : "",
          .label_selector = flags.label_selector,
          .field_selector = flags.field_selector};
}

template <class T>
base::Result<ListedObjects<T>> ReadList(ctl::Cluster& cluster, const store::Selection& selection) {
  auto objects = cluster.List(store::ResourceOf<T>(), selection);
  if (!objects) return std::unexpected(objects.error());
  auto decoded = ctl::Decoded<T>(*objects);
  if (!decoded) return std::unexpected(decoded.error());
  return ListedObjects<T>{.objects = std::move(*objects), .decoded = std::move(*decoded)};
}

// Prints a table or the objects, and says so if there are none.
int PrintListed(CtlSession& session, std::span<const store::Object> objects,
                const store::Resource& resource, const ctl::OutputFormat& format,
                const ListFlags& flags, const ctl::TextTable& table) {
  const bool is_empty_table = format.is_table() && objects.empty();
  std::string text;
  if (!format.is_table())
    text = ctl::PrintList(objects, resource, format);
  else if (!is_empty_table)
    text = table.ToText(format.kind == ctl::OutputFormat::Kind::kWide);
  const int code = session.Conclude(text);
  if (objects.empty()) session.ReportNothing(resource.is_namespaced && !flags.is_everywhere);
  return code;
}

// Lists objects of one kind that pass the filter.
template <class T, class Filter, class MakeTable>
int ListKind(CtlSession& session, const ListFlags& flags, Filter passes, MakeTable make_table) {
  const auto format = flags.output.Read();
  if (!format) return session.Fail(format.error());
  const auto cluster = session.Connect();
  if (!cluster) return session.Fail(cluster.error());
  const store::Resource resource = store::ResourceOf<T>();
  auto listed = ReadList<T>(**cluster, SelectionOf(flags, resource, session));
  if (!listed) return session.Fail(listed.error());
  listed->Keep(passes);
  return PrintListed(session, listed->objects, resource, *format, flags,
                     make_table(listed->decoded));
}

// --- clusterqueue ---

// Nullopt if not given.
base::Result<std::optional<bool>> ReadActive(const std::vector<std::string>& given) {
  const std::vector<std::string> values = ctl::AllValues(given);
  if (values.empty()) return std::nullopt;
  if (values.size() > 1) return base::Fail("only one active flag can be provided");
  if (const std::optional<bool> active = base::ParseBool(values[0])) return active;
  return base::Fail("--active " + values[0] + " is neither true nor false",
                    "write --active true or --active false");
}

CtlAction DeclareListClusterQueues(CLI::App& app) {
  struct Arguments : ListFlags {
    std::vector<std::string> active;
  };
  auto arguments = std::make_shared<Arguments>();
  AddListFlags(app, *arguments, false);
  app.add_option("--active", arguments->active, "Only active ones, or only inactive ones")
      ->allow_extra_args(false)
      ->option_text("true|false");
  return [arguments](CtlSession& session) {
    const auto active = ReadActive(arguments->active);
    if (!active) return session.Fail(active.error());
    return ListKind<api::ClusterQueue>(
        session, *arguments,
        [&](const api::ClusterQueue& queue) {
          return !*active || **active == ctl::IsActive(queue);
        },
        [](std::span<const api::ClusterQueue> queues) {
          return ctl::ClusterQueueTable(queues, store::SystemTime());
        });
  };
}

// --- localqueue and resourceflavor ---

CtlAction DeclareListLocalQueues(CLI::App& app) {
  struct Arguments : ListFlags {
    std::string cluster_queue;
  };
  auto arguments = std::make_shared<Arguments>();
  AddListFlags(app, *arguments, true);
  AddClusterQueueFilter(app, *arguments);
  return [arguments](CtlSession& session) {
    return ListKind<api::LocalQueue>(
        session, *arguments,
        [&](const api::LocalQueue& queue) {
          return arguments->cluster_queue.empty() ||
                 queue.spec.cluster_queue == arguments->cluster_queue;
        },
        [&](std::span<const api::LocalQueue> queues) {
          return ctl::LocalQueueTable(queues, arguments->is_everywhere, store::SystemTime());
        });
  };
}

CtlAction DeclareListResourceFlavors(CLI::App& app) {
  auto arguments = std::make_shared<ListFlags>();
  AddListFlags(app, *arguments, false);
  return [arguments](CtlSession& session) {
    return ListKind<api::ResourceFlavor>(
        session, *arguments, [](const api::ResourceFlavor&) { return true; },
        [](std::span<const api::ResourceFlavor> flavors) {
          return ctl::ResourceFlavorTable(flavors, store::SystemTime());
        });
  };
}

// --- --for ---

// The object of --for; nullopt if it does not exist.
struct FoundObject {
  ctl::NamedKind kind;
  store::Object object;
};
base::Result<std::optional<FoundObject>> FindForObject(CtlSession& session, ctl::Cluster& cluster,
                                                       const std::string& text,
                                                       bool is_everywhere) {
  auto wanted = ctl::ReadForObject(cluster, text);
  if (!wanted) return std::unexpected(wanted.error());
  const bool is_one_namespace = wanted->kind.resource.is_namespaced && !is_everywhere;
  auto found = cluster.List(wanted->kind.resource,
                            {.namespace_ = is_one_namespace ? session.namespace_name() : "",
                             .label_selector = {},
                             .field_selector = "metadata.name=" + wanted->name});
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return std::nullopt;
  return FoundObject{std::move(wanted->kind), std::move(found->front())};
}

// --- workload ---

struct ListWorkloadsArguments : ListFlags {
  std::string cluster_queue;
  std::string local_queue;
  std::string for_object;
  std::vector<std::string> statuses;
};

class WorkloadLister {
 public:
  WorkloadLister(CtlSession& session, ctl::Cluster& cluster,
                 const ListWorkloadsArguments& arguments)
      : session_(session), cluster_(cluster), arguments_(arguments) {}

  // `is_table`: ClusterQueues are shown.
  base::Result<ListedObjects<api::Workload>> Read(ctl::WorkloadFilter filter, bool is_table) {
    auto listed = ReadSelected(filter);
    if (!listed || listed->objects.empty()) return listed;
    if (is_table || !filter.cluster_queue.empty()) {
      if (auto added = AddClusterQueues(); !added) return std::unexpected(added.error());
    }
    listed->Keep([&](const api::Workload& workload) { return filter.Passes(workload, facts_); });
    return listed;
  }

  // What only the table shows.
  const ctl::WorkloadFacts& ReadFacts(const ListedObjects<api::Workload>& listed) {
    std::set<store::ObjectName> queues;
    for (const api::Workload& workload : listed.decoded) {
      if (ctl::StatusOf(workload) == ctl::WorkloadStatus::kPending && workload.spec.queue_name)
        queues.insert(ctl::LocalQueueOf(workload));
      for (const api::OwnerReference& owner : workload.metadata.owner_references) AddKind(owner);
    }
    facts_.positions = PendingPositions(cluster_, queues, session_.err());
    return facts_;
  }

 private:
  // Those of a job by their label or, if none has it, by their owner.
  base::Result<ListedObjects<api::Workload>> ReadSelected(ctl::WorkloadFilter& filter) {
    store::Selection selection =
        SelectionOf(arguments_, store::ResourceOf<api::Workload>(), session_);
    if (filter.owner_uid.empty()) return ReadList<api::Workload>(cluster_, selection);
    store::Selection of_job = selection;
    of_job.label_selector = ctl::BothSelectors(
        selection.label_selector, std::string(api::kJobUidLabel) + "=" + filter.owner_uid);
    auto listed = ReadList<api::Workload>(cluster_, of_job);
    if (!listed || listed->objects.empty()) return ReadList<api::Workload>(cluster_, selection);
    filter.owner_uid.clear();
    return listed;
  }

  base::Result<void> AddClusterQueues() {
    store::Selection selection =
        SelectionOf(arguments_, store::ResourceOf<api::LocalQueue>(), session_);
    selection.label_selector.clear();
    selection.field_selector.clear();
    const auto queues = ReadList<api::LocalQueue>(cluster_, selection);
    if (!queues) return std::unexpected(queues.error());
    for (const api::LocalQueue& queue : queues->decoded)
      facts_.cluster_queues[ctl::NameOf(queue.metadata)] = queue.spec.cluster_queue.value_or("");
    return {};
  }

  void AddKind(const api::OwnerReference& owner) {
    const std::pair<std::string, std::string> key(owner.api_version, owner.kind);
    if (facts_.owner_kinds.contains(key) || unknown_kinds_.contains(key)) return;
    if (auto kind = ctl::FindOwnerKind(cluster_, owner.api_version, owner.kind))
      facts_.owner_kinds.emplace(key, std::move(*kind));
    else
      unknown_kinds_.insert(key);
  }

  CtlSession& session_;
  ctl::Cluster& cluster_;
  const ListWorkloadsArguments& arguments_;
  ctl::WorkloadFacts facts_;
  std::set<std::pair<std::string, std::string>> unknown_kinds_;
};

int ListWorkloads(CtlSession& session, const ListWorkloadsArguments& arguments) {
  const auto format = arguments.output.Read();
  if (!format) return session.Fail(format.error());
  const auto statuses = ctl::ReadStatuses(arguments.statuses);
  if (!statuses) return session.Fail(statuses.error());
  const auto cluster = session.Connect();
  if (!cluster) return session.Fail(cluster.error());
  ctl::WorkloadFilter filter{.cluster_queue = arguments.cluster_queue,
                             .local_queue = arguments.local_queue,
                             .statuses = *statuses,
                             .owner_uid = {}};
  if (!arguments.for_object.empty()) {
    const auto job =
        FindForObject(session, **cluster, arguments.for_object, arguments.is_everywhere);
    if (!job) return session.Fail(job.error());
    if (!*job) {
      session.ReportNothing(!arguments.is_everywhere);
      return session.Conclude(std::string());
    }
    filter.owner_uid = (*job)->object.uid;
  }
  WorkloadLister lister(session, **cluster, arguments);
  const auto listed = lister.Read(std::move(filter), format->is_table());
  if (!listed) return session.Fail(listed.error());
  ctl::TextTable table;
  if (format->is_table())
    table = ctl::WorkloadTable(listed->decoded, lister.ReadFacts(*listed), arguments.is_everywhere,
                               store::SystemTime());
  return PrintListed(session, listed->objects, store::ResourceOf<api::Workload>(), *format,
                     arguments, table);
}

CtlAction DeclareListWorkloads(CLI::App& app) {
  auto arguments = std::make_shared<ListWorkloadsArguments>();
  AddListFlags(app, *arguments, true);
  AddClusterQueueFilter(app, *arguments);
  app.add_option("-q,--localqueue", arguments->local_queue, "Only those of this LocalQueue")
      ->option_text("NAME");
  app.add_option("--status", arguments->statuses,
                 "Only those in this state; may be repeated (default: all)")
      ->allow_extra_args(false)
      ->option_text("all|pending|quotareserved|admitted|finished");
  app.add_option("--for", arguments->for_object, "Only those of this job")
      ->option_text("TYPE[.GROUP]/NAME");
  return [arguments](CtlSession& session) { return ListWorkloads(session, *arguments); };
}

// --- pods ---

constexpr std::string_view kPodAliases[] = {"po", "pod"};

struct ListPodsArguments : ListFlags {
  std::string for_object;
};

base::Result<std::vector<store::Object>> ReadPodsOf(CtlSession& session, ctl::Cluster& cluster,
                                                    const FoundObject& job,
                                                    const ListPodsArguments& arguments) {
  const auto tree = json::Parse(job.object.text());
  if (!tree) return std::unexpected(tree.error());
  const auto of_job = ctl::PodsOf(job.kind.resource, *tree);
  if (!of_job) return std::unexpected(of_job.error());
  store::Selection selection = SelectionOf(arguments, store::ResourceOf<api::Pod>(), session);
  selection.label_selector = ctl::BothSelectors(selection.label_selector, of_job->label_selector);
  selection.field_selector = ctl::BothSelectors(selection.field_selector, of_job->field_selector);
  return cluster.List(store::ResourceOf<api::Pod>(), selection);
}

int ListPods(CtlSession& session, const ListPodsArguments& arguments) {
  const auto format = arguments.output.Read();
  if (!format) return session.Fail(format.error());
  const auto cluster = session.Connect();
  if (!cluster) return session.Fail(cluster.error());
  const auto job = FindForObject(session, **cluster, arguments.for_object, arguments.is_everywhere);
  if (!job) return session.Fail(job.error());
  std::vector<store::Object> pods;
  if (*job) {
    auto read = ReadPodsOf(session, **cluster, **job, arguments);
    if (!read) return session.Fail(read.error());
    pods = std::move(*read);
  }
  return PrintListed(session, pods, store::ResourceOf<api::Pod>(), *format, arguments,
                     ctl::PodTable(pods, arguments.is_everywhere, store::SystemTime()));
}

CtlAction DeclareListPods(CLI::App& app) {
  auto arguments = std::make_shared<ListPodsArguments>();
  AddListFlags(app, *arguments, true);
  app.add_option("--for", arguments->for_object, "The job, or a pod of the group")
      ->required()
      ->option_text("TYPE[.GROUP]/NAME");
  return [arguments](CtlSession& session) { return ListPods(session, *arguments); };
}

}  // namespace

std::vector<CtlCommand> ListCommands() {
  return {{"list", "localqueue", kLocalQueueAliases, "List LocalQueues",
           "  kubectl kueue list localqueue -n team-a\n"
           "  kubectl kueue list lq -A --clusterqueue team-a",
           &DeclareListLocalQueues},
          {"list", "clusterqueue", kClusterQueueAliases, "List ClusterQueues",
           "  kubectl kueue list clusterqueue\n"
           "  kubectl kueue list cq --active false -o wide",
           &DeclareListClusterQueues},
          {"list", "workload", kWorkloadAliases,
           "List Workloads with their jobs and places in the queue",
           "  kubectl kueue list workload -n team-a\n"
           "  kubectl kueue list kwl -A --status pending --clusterqueue team-a\n"
           "  kubectl kueue list workload --for job/train\n"
           "  kubectl kueue list workload -o jsonpath='{.items[*].metadata.name}'",
           &DeclareListWorkloads},
          {"list", "resourceflavor", kResourceFlavorAliases, "List ResourceFlavors",
           "  kubectl kueue list resourceflavor -o wide", &DeclareListResourceFlavors},
          {"list", "pods", kPodAliases, "List the pods of a job",
           "  kubectl kueue list pods --for job/train\n"
           "  # The group of a pod\n"
           "  kubectl kueue list pods --for pod/train-0",
           &DeclareListPods}};
}

}  // namespace berth::cli
