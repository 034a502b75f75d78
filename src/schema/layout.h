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
  // The key as it stands in a text, `"name":`, its first bytes as two words with zeros behind them.
  std::array<uint64_t, 2> head{};
  std::array<uint64_t, 2> head_mask{};
  uint32_t offset = 0;  // of the member in the struct
  // The field that stood behind this one in the last object that was read: most likely it does so
  // again, whoever wrote the text.
  uint16_t next = 0;
  uint16_t index = 0;  // of this one
  Shape shape = Shape::kJson;
  bool is_carried = false;
  bool is_optional = false;
  bool has_structure = false;  // is a struct, or a list or map of structs
  uint8_t last_size = 0;       // of the last list or map that was read here, as NoteSize says
  const Type* type = nullptr;
  const Field* field = nullptr;
  Layout* structure = nullptr;  // found when first needed
  std::string_view comma_key;   // `,"name":`, behind which 32 bytes can be read

  std::string_view key() const { return {comma_key.data() + 1, comma_key.size() - 1}; }
  // Room is made for as many elements as there were last time, but for no more than a few: what is
  // not used stays with the object.
  void NoteSize(size_t size) {
    last_size = static_cast<uint8_t>(std::min<size_t>(size, has_structure ? 2 : 4));
  }
};

// What a writer has to know of a field with a C++ member to see whether it is there. Most fields of
// most objects are not: so this is small, and in one piece for all fields of a struct.
struct MemberSlot {
  enum class Presence : uint8_t {
    kAlways,
    kUnlessZero,
    kNonEmptyString,
    kNonEmptyList,
    kNonEmptyMap,
    kOptional,
    // Optionals that are looked into without a call.
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
  bool is_left_out_empty = false;  // a struct of which nothing is written
  const Type* type = nullptr;
  Slot* slot = nullptr;
  std::string_view comma_key;
};

// The fields of a described struct as one version of the API has them, laid out for reading and
// writing at speed: names as they stand in a text, members by their offset.
//
// Layouts are made when first asked for and live as long as their thread. They learn from what
// they read, so each thread has its own.
class Layout {
 public:
  static constexpr size_t kMostFields = 128;
  static constexpr size_t kMostKeySize = 63;

  static Layout& Of(const Struct& type, bool is_former);

  Layout(const Struct& type, bool is_former);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  const Struct& type() const { return type_; }
  // Never empty: a struct without fields has one that is never found.
  std::vector<Slot>& slots() { return slots_; }
  // Those with a C++ member, in the order of the description.
  const std::vector<MemberSlot>& members() const { return members_; }
  // Index of the field that came first in the last object that was read.
  uint16_t& first() { return first_; }
  Extra& ExtraOf(void* self) const {
    return *reinterpret_cast<Extra*>(static_cast<char*>(self) + extra_offset_);
  }
  const Extra& ExtraOf(const void* self) const {
    return *reinterpret_cast<const Extra*>(static_cast<const char*>(self) + extra_offset_);
  }
  // The slot whose key and colon are at that place of a text; null if none is.
  Slot* FindKeyAt(const char* text);
  // The layout of the struct in a slot or in the elements of its list or map. Null if those are
  // no structs.
  Layout* StructureOf(Slot& slot) {
    return slot.structure == nullptr && slot.has_structure ? FindStructure(slot) : slot.structure;
  }

 private:
  void AddSlot(const Field& field);
  Layout* FindStructure(Slot& slot);
  void AddMember(Slot& slot);
  void Measure();

  const Struct& type_;
  bool is_former_;
  uint16_t first_ = 0;
  size_t extra_offset_ = 0;
  std::deque<std::string> keys_;
  std::vector<Slot> slots_;
  std::vector<MemberSlot> members_;
};

// Whether the key and colon at that place of a text are the slot's. The text has a NUL at its end,
// behind which kMostKeySize bytes can be read.
inline bool IsKeyAt(const Slot& slot, const char* text) {
  std::array<uint64_t, 2> head;
  std::memcpy(head.data(), text, sizeof head);
  const uint64_t difference = ((head[0] ^ slot.head[0]) & slot.head_mask[0]) |
                              ((head[1] ^ slot.head[1]) & slot.head_mask[1]);
  if (difference != 0) return false;
  const std::string_view key = slot.key();
  if (key.size() <= sizeof head) return true;
  // The last bytes, which may overlap the first; hardly a key has more between them.
  const size_t tail_at = key.size() - sizeof head;
  std::array<uint64_t, 2> tail, key_tail;
  std::memcpy(tail.data(), text + tail_at, sizeof tail);
  std::memcpy(key_tail.data(), key.data() + tail_at, sizeof tail);
  if (tail != key_tail) return false;
  return tail_at <= sizeof head || std::memcmp(text, key.data(), tail_at) == 0;
}

}  // namespace berth::schema
