#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "schema/layout.h"

namespace berth::schema {

// Reads JSON the way API servers write it: without blanks, fields mostly in the order of the last
// object, nothing wrong with it. In one pass, keeping no account of where it is: whatever it does
// not expect (a blank, a key twice, a value of the wrong type, bad syntax) makes it give up, and
// the careful reader of decode.cc, which knows what to say, begins again.
//
// It is lenient: unknown fields are kept, missing ones are no concern of it.
class QuickReader {
 public:
  // How many bytes must be readable behind a text; the first of them is NUL.
  static constexpr size_t kPadding = 64;

  explicit QuickReader(int max_depth) : max_depth_(max_depth) {}

  // Whether all of the text, which is valid UTF-8, was read into `out`; otherwise `out` is
  // anything. Apart from the fields, an object may have the apiVersion and kind of `kind`, or any
  // if that is null; the apiVersion is not looked at for former versions.
  bool Read(std::string_view text, Layout& layout, void* out, const Kind* kind, bool is_former);

 private:
  struct Frame;

  // Members that stand one after the other in the text, to go to Extra as they are.
  struct Run {
    const char* begin;
    const char* end;
  };

  // Each takes the place in the text where something begins and returns the place behind it, or
  // null to give up.
  const char* ReadStruct(const char* at, Layout& layout, void* self, bool is_root);
  [[gnu::always_inline]] const char* Finish(const char* at, const Frame& frame);
  [[gnu::always_inline]] const char* ReadMember(const char* at, Frame& frame, Slot& slot);
  [[gnu::always_inline]] const char* ReadField(const char* at, Layout& layout, Slot& slot,
                                               void* self);
  const char* ReadValue(const char* at, const Type& type, Layout* structure, void* target);
  const char* ReadList(const char* at, const Type& type, Layout* structure, void* list);
  const char* ReadMap(const char* at, const Type& type, Layout* structure, void* map);
  const char* ReadJson(const char* at, void* target);
  const char* ReadUnknown(const char* at, Frame& frame);
  const char* ReadTypeMeta(const char* at, std::string_view key, bool& seen);
  const char* Skip(const char* at, int depth);
  const char* SkipObject(const char* at, int depth);
  const char* SkipArray(const char* at, int depth);
  void AddToRun(const Frame& frame, const char* begin, const char* end);
  void StoreRuns(const Frame& frame);
  bool IsFresh(std::string_view key, size_t first_key);

  int max_depth_;
  const Kind* kind_ = nullptr;
  bool is_former_ = false;
  bool seen_kind_ = false;
  bool seen_api_version_ = false;
  // Enough for most objects.
  std::array<std::byte, 2048> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<std::string_view> keys_{&memory_};  // of the free-form objects that it is in
  std::pmr::vector<Run> runs_{&memory_};               // of the structs that it is in
};

}  // namespace berth::schema
