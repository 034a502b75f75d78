#pragma once

#include <array>
#include <boost/json/memory_resource.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <string_view>

#include "json/json.h"

namespace berth::json {

// Memory for trees that live for one task. It is released all at once with the pool, which must
// outlive all its values. Trees of typical objects fit into the pool itself: keep it on the stack.
// Copies of values and values added to them are allocated in the pool too. Not thread-safe.
class Pool final : public boost::json::memory_resource {
 public:
  Pool() : rest_(room_.data(), room_.size()) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    return rest_.allocate(bytes, alignment);
  }
  void do_deallocate(void*, size_t, size_t) override {}
  bool do_is_equal(const boost::json::memory_resource& other) const noexcept override {
    return this == &other;
  }

  alignas(std::max_align_t) std::array<unsigned char, 48 << 10> room_;
  boost::json::monotonic_resource rest_;
};

// As Parse, with the tree in this memory: `&pool`, or the storage of another tree.
base::Result<json::value> ParseIn(json::storage_ptr memory, std::string_view text,
                                  const ParseOptions& options = {});

}  // namespace berth::json

// Destructors of trees in a pool are skipped.
template <>
struct boost::json::is_deallocate_trivial<berth::json::Pool> {
  static constexpr bool value = true;
};
