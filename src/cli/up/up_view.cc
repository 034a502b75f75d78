#include "cli/up/up_view.h"

#include <algorithm>
#include <map>

namespace berth::cli {
namespace {

std::string_view Text(const json::value& object, std::initializer_list<std::string_view> path) {
  return json::StringAt(object, path);
}

const json::array& List(const json::value& object, std::initializer_list<std::string_view> path) {
  static const json::array kNone;
  const json::value* found = json::Find(object, path);
  return found != nullptr && found->is_array() ? found->get_array() : kNone;
}

std::string Number(const json::value& object, std::initializer_list<std::string_view> path) {
  const json::value* found = json::Find(object, path);
  return found != nullptr && found->is_number() ? json::Print(*found) : "0";
}

const json::value* FindCondition(const json::value& object, std::string_view type) {
  for (const json::value& condition : List(object, {"status", "conditions"}))
    if (Text(condition, {"type"}) == type) return &condition;
  return nullptr;
}

bool IsTrue(const json::value& object, std::string_view type) {
  const json::value* condition = FindCondition(object, type);
  return condition != nullptr && Text(*condition, {"status"}) == "True";
}

bool IsFinished(const json::value& job) { return IsTrue(job, "Complete") || IsTrue(job, "Failed"); }

// A table with columns of minimal width.
class Table {
 public:
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string Draw() const {
    std::vector<size_t> widths;
    for (const auto& row : rows_)
      for (size_t i = 0; i < row.size(); ++i) {
        if (widths.size() <= i) widths.push_back(0);
        widths[i] = std::max(widths[i], row[i].size());
      }
    std::string text;
    for (const auto& row : rows_) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i) {
        line += row[i];
        if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 2, ' ');
      }
      text += "  " + line + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

// "cpu 4 of 8 (on-demand)".
std::string UsageOf(const json::value& queue) {
  std::string text;
  for (const json::value& flavor : List(queue, {"status", "flavorsReservation"}))
    for (const json::value& resource : List(flavor, {"resources"})) {
      const std::string_view total = Text(resource, {"total"});
      if (total == "0") continue;
      text += (text.empty() ? "" : ", ") + std::string(Text(resource, {"name"})) + " " +
              std::string(total) + " of " + std::string(Text(flavor, {"name"}));
      const std::string_view borrowed = Text(resource, {"borrowed"});
      if (!borrowed.empty() && borrowed != "0") text += " (" + std::string(borrowed) + " borrowed)";
    }
  return text.empty() ? "-" : text;
}

struct State {
  std::string word;
  std::string why;
};

State StateOf(const json::value& job, const json::value* workload) {
  if (IsTrue(job, "Complete")) return {"finished", ""};
  if (IsTrue(job, "Failed")) return {"failed", ""};
  const json::value* suspend = json::Find(job, {"spec", "suspend"});
  if (suspend == nullptr || !suspend->is_bool() || !suspend->get_bool())
    return {"running", Number(job, {"status", "ready"}) + " pods ready"};
  if (workload == nullptr) return {"suspended", ""};
  const json::value* quota = FindCondition(*workload, "QuotaReserved");
  if (quota == nullptr) return {"waiting", "not evaluated yet"};
  if (Text(*quota, {"status"}) == "True") return {"starting", ""};
  return {"waiting",
          std::string(Text(*quota, {"reason"})) + ": " + std::string(Text(*quota, {"message"}))};
}

std::string Coloured(const std::string& word, bool with_colour) {
  if (!with_colour) return word;
  const std::string_view code = word == "running"    ? "32"
                                : word == "waiting"  ? "33"
                                : word == "failed"   ? "31"
                                : word == "finished" ? "2"
                                                     : "0";
  return "\x1b[" + std::string(code) + "m" + word + "\x1b[0m";
}

}  // namespace

size_t CountFinished(const ClusterPicture& picture) {
  return static_cast<size_t>(std::ranges::count_if(picture.jobs, IsFinished));
}

std::string DrawCluster(const ClusterPicture& picture, bool with_colour) {
  Table queues;
  queues.Add({"QUEUE", "COHORT", "WAITING", "ADMITTED", "IN USE"});
  for (const json::value& queue : picture.cluster_queues)
    queues.Add({std::string(Text(queue, {"metadata", "name"})),
                std::string(Text(queue, {"spec", "cohortName"})),
                Number(queue, {"status", "pendingWorkloads"}),
                Number(queue, {"status", "admittedWorkloads"}), UsageOf(queue)});
  std::map<std::string, const json::value*, std::less<>> by_owner;
  for (const json::value& workload : picture.workloads)
    for (const json::value& owner : List(workload, {"metadata", "ownerReferences"}))
      by_owner[std::string(Text(owner, {"uid"}))] = &workload;
  Table jobs;
  jobs.Add({"JOB", Coloured("STATE", false), ""});
  for (const json::value& job : picture.jobs) {
    const auto workload = by_owner.find(Text(job, {"metadata", "uid"}));
    const State state = StateOf(job, workload == by_owner.end() ? nullptr : workload->second);
    jobs.Add({std::string(Text(job, {"metadata", "namespace"})) + "/" +
                  std::string(Text(job, {"metadata", "name"})),
              Coloured(state.word, with_colour), state.why.substr(0, 100)});
  }
  return queues.Draw() + "\n" + jobs.Draw();
}

}  // namespace berth::cli
