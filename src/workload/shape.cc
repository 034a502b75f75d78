#include "workload/shape.h"

#include <cstddef>

#include "base/sha1.h"
#include "schema/encode.h"
#include "workload/sorted_json.h"

namespace berth::workload {
namespace {

// Length-prefixes every part, so that the bytes of different sequences differ.
class Writer {
 public:
  void Number(int64_t number) {
    const auto bits = static_cast<uint64_t>(number);
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(bits >> shift);
  }
  void Flag(bool flag) { bytes_ += flag ? '\1' : '\0'; }
  void Text(std::string_view text) {
    Number(static_cast<int64_t>(text.size()));
    bytes_ += text;
  }

  template <class T, class Write>
  void Optional(const std::optional<T>& value, Write write) {
    Flag(value.has_value());
    if (value) write(*value);
  }
  template <class List, class Write>
  void Each(const List& list, Write write) {
    Number(static_cast<int64_t>(list.size()));
    for (const auto& element : list) write(element);
  }
  template <class T>
  void EachEncoded(const std::vector<T>& list) {
    Each(list, [this](const T& element) { Text(schema::Encode(element)); });
  }

  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void WriteQuantities(const api::ResourceList& list, Writer& out) {
  out.Each(list, [&](const auto& entry) {
    out.Text(entry.first);
    out.Text(entry.second.ToString());
  });
}

void WriteContainers(const std::vector<api::Container>& containers, Writer& out) {
  out.Each(containers, [&](const api::Container& container) {
    WriteQuantities(container.resources.requests, out);
    out.EachEncoded(container.ports);
  });
}

void WritePod(const api::PodSpec& pod, Writer& out) {
  WriteContainers(pod.init_containers, out);
  WriteContainers(pod.containers, out);
  out.Optional(pod.resources, [&](const auto& own) { WriteQuantities(own.requests, out); });
  out.Each(pod.node_selector, [&](const auto& entry) {
    out.Text(entry.first);
    out.Text(entry.second);
  });
  // Pod affinity keeps the order of its terms.
  out.Optional(pod.affinity, [&](const api::Affinity& affinity) {
    out.Text(SortedJson(schema::Encode(affinity)));
  });
  out.EachEncoded(pod.tolerations);
  out.Optional(pod.runtime_class_name, [&](const std::string& name) { out.Text(name); });
  out.Optional(pod.priority, [&](int32_t priority) { out.Number(priority); });
  out.EachEncoded(pod.topology_spread_constraints);
  WriteQuantities(pod.overhead, out);
  out.EachEncoded(pod.resource_claims);
}

void WriteTotals(const PodSetTotals& totals, Writer& out) {
  out.Number(totals.count);
  for (const Requests* requests : {&totals.requests, &totals.shared}) {
    out.Each(*requests, [&](const auto& entry) {
      out.Text(entry.first);
      out.Number(entry.second);
    });
  }
}

void WritePodSet(const api::PodSet& pod_set, Writer& out) {
  out.Text(pod_set.name);
  out.Optional(pod_set.min_count, [&](int32_t count) { out.Number(count); });
  out.Optional(pod_set.topology_request,
               [&](const auto& request) { out.Text(schema::Encode(request)); });
  WritePod(pod_set.template_.spec, out);
}

uint64_t BigEndian(const uint8_t* bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i) number = number << 8 | bytes[i];
  return number;
}

}  // namespace

std::string ShapeBytes(const ShapeParts& parts) {
  Writer out;
  out.Number(parts.priority);
  out.Flag(parts.cannot_preempt);
  out.Flag(parts.cannot_borrow);
  out.Optional(parts.allowed_flavors, [&](std::string_view flavors) { out.Text(flavors); });
  out.Each(parts.pod_sets, [&](const api::PodSet& pod_set) { WritePodSet(pod_set, out); });
  out.Each(parts.totals, [&](const PodSetTotals& totals) { WriteTotals(totals, out); });
  return std::move(out).Take();
}

Shape ShapeOf(const ShapeParts& parts) {
  const base::Sha1Digest digest = base::Sha1(ShapeBytes(parts));
  return {BigEndian(digest.data()), BigEndian(digest.data() + 8)};
}

}  // namespace berth::workload
