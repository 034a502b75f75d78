#include "schema/layout.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"

namespace berth::schema {
namespace {

constexpr uint64_t kNoText = ~uint64_t{0};  // bytes that never occur in UTF-8

// The element type of nested lists and maps.
const Type& InnermostOf(const Type& type) {
  return type.element != nullptr ? InnermostOf(*type.element) : type;
}

MemberSlot::Presence PresenceOf(const Field& field) {
  using enum MemberSlot::Presence;
  const Shape shape = field.type->shape;
  if (field.type->optional != nullptr) {
    return shape == Shape::kBool     ? kOptionalBool
           : shape == Shape::kInt32  ? kOptionalInt32
           : shape == Shape::kInt64  ? kOptionalInt64
           : shape == Shape::kString ? kOptionalString
           : shape == Shape::kTime   ? kOptionalTime
                                     : kOptional;
  }
  if (field.is_required || shape == Shape::kStruct) return kAlways;
  return shape == Shape::kString ? kNonEmptyString
         : shape == Shape::kList ? kNonEmptyList
         : shape == Shape::kMap  ? kNonEmptyMap
                                 : kUnlessZero;
}

}  // namespace

Layout& Layout::Of(const Struct& type, bool is_previous) {
  thread_local std::map<std::pair<const Struct*, bool>, Layout> layouts;
  return layouts.try_emplace({&type, is_previous}, type, is_previous).first->second;
}

Layout::Layout(const Struct& type, bool is_previous) : type_(type), is_previous_(is_previous) {
  for (const Field& field : type.fields) {
    if (!(is_previous ? field.is_new : field.is_previous)) AddSlot(field);
  }
  CHECK(slots_.size() <= kMostFields);
  if (slots_.empty())
    slots_.push_back(
        {.head = {kNoText, kNoText}, .head_mask = {kNoText, kNoText}, .is_carried = true});
  slots_.back().next = 0;
  for (Slot& slot : slots_) {
    if (!slot.is_carried) AddMember(slot);
  }
  if (type.make != nullptr) Measure();
}

void Layout::AddSlot(const Field& field) {
  Slot& slot = slots_.emplace_back();
  slot.field = &field;
  slot.type = field.type;
  slot.shape = field.type->shape;
  slot.is_carried = field.member == nullptr;
  slot.is_optional = field.type->optional != nullptr;
  slot.has_structure = InnermostOf(*field.type).shape == Shape::kStruct;
  slot.index = static_cast<uint16_t>(slots_.size() - 1);
  slot.next = static_cast<uint16_t>(slots_.size());
  const std::string_view name =
      is_previous_ && !field.previous_name.empty() ? field.previous_name : field.name;
  constexpr size_t kPadding = 32;
  keys_.push_back(",\"" + std::string(name) + "\":" + std::string(kPadding, '\0'));
  slot.comma_key = std::string_view(keys_.back()).substr(0, name.size() + 4);
  const std::string_view key = slot.key();
  CHECK(key.size() <= kMostKeySize);
  const size_t size = std::min(key.size(), sizeof slot.head);
  std::memcpy(slot.head.data(), key.data(), size);
  std::memset(slot.head_mask.data(), 0xff, size);
}

void Layout::AddMember(Slot& slot) {
  const Field& field = *slot.field;
  members_.push_back({.presence = PresenceOf(field),
                      .shape = slot.shape,
                      .is_micro_time = field.is_micro_time,
                      .is_omitted_if_empty = slot.shape == Shape::kStruct &&
                                             field.type->optional == nullptr && !field.is_required,
                      .type = field.type,
                      .slot = &slot,
                      .comma_key = slot.comma_key});
}

// Determines the offsets on a temporary object.
void Layout::Measure() {
  void* object = type_.make();
  const char* const base = static_cast<const char*>(object);
  for (MemberSlot& member : members_) {
    const void* const at = member.slot->field->member(object);
    member.offset = static_cast<uint32_t>(static_cast<const char*>(at) - base);
    member.slot->offset = member.offset;
  }
  extra_offset_ = static_cast<size_t>(reinterpret_cast<const char*>(type_.extra(object)) - base);
  type_.destroy(object);
}

Slot* Layout::FindKeyAt(const char* text) {
  const auto it = std::ranges::find_if(slots_, [=](const Slot& s) { return IsKeyAt(s, text); });
  return it == slots_.end() ? nullptr : &*it;
}

Layout* Layout::FindStructure(Slot& slot) {
  slot.structure = &Of(InnermostOf(*slot.type).structure(), is_previous_);
  return slot.structure;
}

}  // namespace berth::schema
