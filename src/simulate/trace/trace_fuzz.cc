// Trace readers: no input crashes them, and a rejected trace leaves the input unchanged.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/kueue/local_queue.h"
#include "base/check.h"
#include "simulate/trace/trace.h"

namespace berth::simulate {
namespace {

Input WithOneQueue() {
  Input input;
  api::Object& queue = input.objects.emplace_back(api::LocalQueue::KindInfo());
  queue.As<api::LocalQueue>()->metadata.namespace_ = "n";
  queue.As<api::LocalQueue>()->metadata.name = "q";
  return input;
}

}  // namespace
}  // namespace berth::simulate

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using berth::simulate::Input;
  if (size == 0) return 0;
  static constexpr const char* kFiles[] = {"t.csv", "t.jsonl", "t.swf"};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Input input = berth::simulate::WithOneQueue();
  const bool is_refused =
      !berth::simulate::AddTrace(text, {.file = kFiles[data[0] % 3], .queue = "n/q"}, input)
           .empty();
  CHECK(is_refused == input.jobs.empty());
  for (const berth::simulate::Job& job : input.jobs) CHECK(job.kind < input.kinds.size());
  return 0;
}
