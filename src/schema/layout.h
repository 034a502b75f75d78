#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "schema/describe.h"

namespace berth::schema {

class Layout;

// One field of a Layout.
struct Slot {
  // The key in a text, `"name":`: its first bytes as two zero-padded words.
  std::array<uint64_t, 2> head{};
  std::array<uint64_t, 2> head_mask{};
  uint32_t offset = 0;  // of the member in the struct
  // The field behind this one in the last object read; writers usually keep the order.
  uint16_t next = 0;
  uint16_t index = 0;  // of this slot
  Shape shape = Shape::kJson;
  bool is_carried = false;
  bool is_optional = false;
  bool has_structure = false;  // a struct, or a list or map of structs
  uint8_t last_size = 0;       // of the last list or map read here, see NoteSize
  const Type* type = nullptr;
  const Field* field = nullptr;
  Layout* structure = nullptr;  // resolved on first use
  std::string_view comma_key;   // `,"name":`, with 32 readable bytes behind it

  std::string_view key() const { return {comma_key.data() + 1, comma_key.size() - 1}; }
  // Capacity is reserved for as many elements as last time, up to a few: unused capacity stays with
  // the object.
  void NoteSize(size_t size) {
    last_size = static_cast<uint8_t>(std::min<size_t>(size, has_structure ? 2 : 4));
  }
};

// The data that an encoder needs to test a field for presence. Most fields are absent, so this is
// small, and contiguous for all fields of a struct.
struct MemberSlot {
  enum class Presence : uint8_t {
    kAlways,
    kUnlessZero,
    kNonEmptyString,
    kNonEmptyList,
    kNonEmptyMap,
    kOptional,
    // Optionals that are checked inline.
    kOptionalBool,
    kOptionalInt32,
    kOptionalInt64,
    kOptionalString,
    kOptionalTime,
  };

  uint32_t offset = 0;
  Presence presence = Presence::kAlways;
  Shape shape = Shape::kJson;
  bool is_micro_time = false;
  bool is_omitted_if_empty = false;  // a struct that is omitted if it has no members
  const Type* type = nullptr;
  Slot* slot = nullptr;
  std::string_view comma_key;
};

// The fields of a described struct in one API version, arranged for fast decoding and encoding:
// keys as text, members by offset.
//
// Layouts are created on first use and live as long as their thread. They adapt to the texts read,
// so each thread has its own.
class Layout {
 public:
  static constexpr size_t kMostFields = 128;
  static constexpr size_t kMostKeySize = 63;

  static Layout& Of(const Struct& type, bool is_previous);

  Layout(const Struct& type, bool is_previous);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  const Struct& type() const { return type_; }
  // Never empty: a struct without fields has a slot that never matches.
  std::vector<Slot>& slots() { return slots_; }
  // Slots with a C++ member, in the order of the description.
  const std::vector<MemberSlot>& members() const { return members_; }
  // The index of the first field in the last object read.
  uint16_t& first() { return first_; }
  Extra& ExtraOf(void* self) const {
    return *reinterpret_cast<Extra*>(static_cast<char*>(self) + extra_offset_);
  }
  const Extra& ExtraOf(const void* self) const {
    return *reinterpret_cast<const Extra*>(static_cast<const char*>(self) + extra_offset_);
  }
  // The slot whose key and colon are at this position of a text; null if there is none.
  Slot* FindKeyAt(const char* text);
  // The layout of the struct in a slot or in the elements of its list or map. Null if there are no
  // structs.
  Layout* StructureOf(Slot& slot) {
    return slot.structure == nullptr && slot.has_structure ? FindStructure(slot) : slot.structure;
  }

 private:
  void AddSlot(const Field& field);
  Layout* FindStructure(Slot& slot);
  void AddMember(Slot& slot);
  void Measure();

  const Struct& type_;
  bool is_previous_;
  uint16_t first_ = 0;
  size_t extra_offset_ = 0;
  std::deque<std::string> keys_;
  std::vector<Slot> slots_;
  std::vector<MemberSlot> members_;
};

// Whether the key and colon at this position of a text are the slot's. The text ends with a NUL,
// behind which kMostKeySize bytes must be readable.
inline bool IsKeyAt(const Slot& slot, const char* text) {
  std::array<uint64_t, 2> head;
  std::memcpy(head.data(), text, sizeof head);
  const uint64_t difference = ((head[0] ^ slot.head[0]) & slot.head_mask[0]) |
                              ((head[1] ^ slot.head[1]) & slot.head_mask[1]);
  if (difference != 0) return false;
  const std::string_view key = slot.key();
  if (key.size() <= sizeof head) return true;
  // The last bytes, which may overlap the first; few keys have more between them.
  const size_t tail_at = key.size() - sizeof head;
  std::array<uint64_t, 2> tail, key_tail;
  std::memcpy(tail.data(), text + tail_at, sizeof tail);
  std::memcpy(key_tail.data(), key.data() + tail_at, sizeof tail);
  if (tail != key_tail) return false;
  return tail_at <= sizeof head || std::memcmp(text, key.data(), tail_at) == 0;
}

}  // namespace berth::schema
