#pragma once

#include <array>
#include <boost/json/memory_resource.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <string_view>

#include "store/json.h"

namespace berth::store {

// Memory for trees that are read, changed, printed and dropped again within one task. It is given
// back all at once with the pool, which must outlive every value in it. Trees of common objects fit
// into the pool itself: keep it on the stack. Copies of such values, and what is put into them, are
// in the pool too: all for one thread at a time.
class JsonPool final : public json::memory_resource {
 public:
  JsonPool() : rest_(room_.data(), room_.size()) {}
  JsonPool(const JsonPool&) = delete;
  JsonPool& operator=(const JsonPool&) = delete;

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    return rest_.allocate(bytes, alignment);
  }
  void do_deallocate(void*, size_t, size_t) override {}
  bool do_is_equal(const json::memory_resource& other) const noexcept override {
    return this == &other;
  }

  alignas(std::max_align_t) std::array<unsigned char, 48 << 10> room_;
  json::monotonic_resource rest_;
};

// As ParseJson, with the tree in this memory: `&pool`, or that of another tree.
base::Result<json::value> ParseJsonIn(json::storage_ptr memory, std::string_view text,
                                      const ParseJsonOptions& options = {});

}  // namespace berth::store

// Trees in a pool need not be taken apart.
template <>
struct boost::json::is_deallocate_trivial<berth::store::JsonPool> {
  static constexpr bool value = true;
};
