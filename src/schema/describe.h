#pragma once

// The vocabulary for describing an API type once.
//
// A struct of `api` is plain data plus `static const schema::Struct& Description()`, which lists
// its fields: JSON name, member, one line of documentation, bounds, enum values, list semantics,
// default, and the rules that cross fields. All walkers read that list: decode.h, encode.h,
// defaults.h, validate.h and crd.h. Each property of a field is written once.
//
//   struct FairSharing {
//     std::optional<quantity::Quantity> weight;
//     schema::Extra extra;
//     static const schema::Struct& Description();
//   };
//
//   const schema::Struct& FairSharing::Description() {
//     static constexpr schema::Field kFields[] = {
//         schema::Member<&FairSharing::weight>("weight", "Share against its siblings.")
//     };
//     static constexpr auto kStruct =
//         schema::Describe<FairSharing>("FairSharing", "How idle quota is shared.", kFields);
//     return kStruct;
//   }
//
// All descriptions are constant data with static lifetime; pointers in them never dangle.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "base/time.h"
#include "quantity/quantity.h"

namespace berth::schema {

struct Struct;
struct Type;

// Members of a JSON object without a C++ member: fields that Berth knows but never reads (Carried
// below) and unknown fields. They survive a round trip unchanged.
struct Extra {
  // Compact JSON members without the braces: `"a":1,"b":{"c":[]}`. Empty if there are none.
  std::string members;

  friend bool operator==(const Extra&, const Extra&) = default;
};

// Any JSON value as compact text. Empty means absent.
struct Json {
  std::string text;

  friend bool operator==(const Json&, const Json&) = default;
};

enum class Shape : uint8_t {
  kBool,
  kInt32,
  kInt64,
  kDouble,
  kString,
  kQuantity,
  kTime,
  kDuration,
  kIntOrString,
  kJson,
  kStruct,
  kList,
  kMap,  // with string keys
};

// Type-erased access to a member. `self` is the optional, list or map; the functions return a
// pointer to the element inside.
struct OptionalAccess {
  const void* (*get)(const void* self);  // null if there is no value
  void* (*emplace)(void* self);          // a new value
};
struct ListAccess {
  size_t (*size)(const void* self);
  const void* (*at)(const void* self, size_t index);
  void* (*append)(void* self);  // a new element; invalidates pointers to the others
  void (*reserve)(void* self, size_t count);
};
struct MapAccess {
  size_t (*size)(const void* self);
  const void* (*at)(const void* self, size_t index, std::string_view* key);  // in key order
  void* (*insert)(void* self, std::string_view key, bool* is_new);
  void (*reserve)(void* self, size_t count);
};

// The type of a value. A Type without access functions describes carried fields.
struct Type {
  Shape shape = Shape::kJson;
  const Struct& (*structure)() = nullptr;  // kStruct
  const Type* element = nullptr;           // kList, kMap
  const OptionalAccess* optional = nullptr;
  const ListAccess* list = nullptr;
  const MapAccess* map = nullptr;
};

// The required form of a string: the regex for the CRD and the function that checks it.
struct Pattern {
  std::string_view regex;
  bool (*matches)(std::string_view);
  std::string_view what;  // "a lower-case DNS label such as \"team-a\""
};

// Constraints on a single value besides its type.
struct Bounds {
  std::optional<int64_t> minimum;
  std::optional<int64_t> maximum;
  std::optional<uint32_t> min_length;  // of strings, in characters
  std::optional<uint32_t> max_length;
  std::optional<uint32_t> min_items;  // of lists; of maps, the number of entries
  std::optional<uint32_t> max_items;
  const Pattern* pattern = nullptr;
  std::span<const std::string_view> one_of;
};

// A rule that crosses fields: the CEL text for the API server and the equivalent C++. `holds` gets
// the value and, for transition rules, the old value; otherwise null.
struct Rule {
  std::string_view cel;
  std::string_view message;
  bool (*holds)(const void* self, const void* old) = nullptr;
  bool is_transition = false;          // the CEL text uses oldSelf: checked on updates only
  bool is_new = false;                 // about fields that the previous API version does not have
  std::string_view previous_cel = {};  // for the previous version, if names differ

  constexpr Rule New() const {
    Rule copy = *this;
    copy.is_new = true;
    return copy;
  }
  constexpr Rule PreviousCel(std::string_view text) const {
    Rule copy = *this;
    copy.previous_cel = text;
    return copy;
  }
};

namespace internal {
template <class F>
struct Argument;
template <class C, class R, class T>
struct Argument<R (C::*)(const T&) const> {
  using type = T;
};
template <class C, class R, class T, class U>
struct Argument<R (C::*)(const T&, const U&) const> {
  using type = T;
};
template <auto kLambda>
using ArgumentOf = typename Argument<decltype(&decltype(kLambda)::operator())>::type;
}  // namespace internal

// Must<[](const T& self) { … }>("CEL", "message")
template <auto kHolds>
constexpr Rule Must(std::string_view cel, std::string_view message) {
  using T = internal::ArgumentOf<kHolds>;
  return {cel, message,
          [](const void* self, const void*) { return kHolds(*static_cast<const T*>(self)); },
          false};
}

// MustChange<[](const T& self, const T& old) { … }>("CEL with oldSelf", "message")
template <auto kHolds>
constexpr Rule MustChange(std::string_view cel, std::string_view message) {
  using T = internal::ArgumentOf<kHolds>;
  return {cel, message,
          [](const void* self, const void* old) {
            return kHolds(*static_cast<const T*>(self), *static_cast<const T*>(old));
          },
          true};
}

// The merge semantics of a list. Maps are keyed by the fields in Field::keys.
enum class ListKind : uint8_t { kAtomic, kSet, kMap };

struct Field {
  std::string_view name;  // as in JSON
  std::string_view doc;   // one line
  const Type* type = nullptr;
  void* (*member)(void* self) = nullptr;  // null: carried, see Extra

  bool is_required = false;
  bool is_micro_time = false;
  bool is_previous = false;  // exists in the previous API version only
  bool is_new = false;       // does not exist in the previous version
  bool preserves_unknown = false;
  bool is_atomic = false;          // for maps: written as a whole, never key by key
  std::string_view previous_name;  // the name in the previous version, if different
  std::span<const std::string_view> previous_one_of;  // values of the previous version only
  std::string_view default_json;
  Bounds bounds;
  Bounds item_bounds;  // for list elements and map values
  ListKind list_kind = ListKind::kAtomic;
  std::span<const std::string_view> keys;
  std::string_view patch_key;  // merge key of strategic merge patches, if the kind has one
  std::span<const Rule> rules;

 private:
  template <class V, class W>
  constexpr Field With(V Field::* member_of, W value) const {
    Field copy = *this;
    copy.*member_of = value;
    return copy;
  }
  template <class V, class W>
  constexpr Field WithBound(V Bounds::* bound, W value) const {
    Field copy = *this;
    copy.bounds.*bound = value;
    return copy;
  }

 public:
  constexpr Field Required() const { return With(&Field::is_required, true); }
  constexpr Field MicroTime() const { return With(&Field::is_micro_time, true); }
  constexpr Field Previous() const { return With(&Field::is_previous, true); }
  constexpr Field New() const { return With(&Field::is_new, true); }
  constexpr Field PreservesUnknown() const { return With(&Field::preserves_unknown, true); }
  constexpr Field Atomic() const { return With(&Field::is_atomic, true); }
  constexpr Field PreviousName(std::string_view n) const { return With(&Field::previous_name, n); }
  constexpr Field PreviousOneOf(std::span<const std::string_view> values) const {
    return With(&Field::previous_one_of, values);
  }
  // The default as JSON text: "\"None\"", "{}", "5".
  constexpr Field Default(std::string_view json) const { return With(&Field::default_json, json); }
  constexpr Field Min(int64_t v) const { return WithBound(&Bounds::minimum, v); }
  constexpr Field Max(int64_t v) const { return WithBound(&Bounds::maximum, v); }
  constexpr Field MinLength(uint32_t v) const { return WithBound(&Bounds::min_length, v); }
  constexpr Field MaxLength(uint32_t v) const { return WithBound(&Bounds::max_length, v); }
  constexpr Field MinItems(uint32_t v) const { return WithBound(&Bounds::min_items, v); }
  constexpr Field MaxItems(uint32_t v) const { return WithBound(&Bounds::max_items, v); }
  constexpr Field Matches(const Pattern& p) const { return WithBound(&Bounds::pattern, &p); }
  constexpr Field OneOf(std::span<const std::string_view> values) const {
    return WithBound(&Bounds::one_of, values);
  }
  constexpr Field Items(const Bounds& b) const { return With(&Field::item_bounds, b); }
  constexpr Field SetOf() const { return With(&Field::list_kind, ListKind::kSet); }
  constexpr Field MapBy(std::span<const std::string_view> key_fields) const {
    return With(&Field::list_kind, ListKind::kMap).With(&Field::keys, key_fields);
  }
  constexpr Field PatchBy(std::string_view key) const { return With(&Field::patch_key, key); }
  constexpr Field Rules(std::span<const Rule> r) const { return With(&Field::rules, r); }
};

struct Struct {
  std::string_view name;
  std::string_view doc;
  std::span<const Field> fields;
  std::span<const Rule> rules;
  Extra* (*extra)(void* self) = nullptr;  // null for structs that only describe carried fields
  // Converts members of the previous API version to current ones after decoding such an object.
  void (*upgrade)(void* self) = nullptr;
  void* (*make)() = nullptr;
  void (*destroy)(void* self) = nullptr;
  void (*reset)(void* self) = nullptr;  // to the state after `make`
  // Free-form object: strict decoding does not report unknown fields.
  bool is_open = false;
  bool is_atomic = false;  // written as a whole, never field by field

  constexpr Struct Upgrade(void (*fold)(void*)) const {
    Struct copy = *this;
    copy.upgrade = fold;
    return copy;
  }
  constexpr Struct Open() const {
    Struct copy = *this;
    copy.is_open = true;
    return copy;
  }
  constexpr Struct Atomic() const {
    Struct copy = *this;
    copy.is_atomic = true;
    return copy;
  }
};

// --- Types of C++ types --------------------------------------------------------------------------

template <class T>
struct TypeOf {
  static constexpr Type value{.shape = Shape::kStruct, .structure = &T::Description};
};
template <Shape kShape>
struct ScalarType {
  static constexpr Type value{.shape = kShape};
};
template <>
struct TypeOf<bool> : ScalarType<Shape::kBool> {};
template <>
struct TypeOf<int32_t> : ScalarType<Shape::kInt32> {};
template <>
struct TypeOf<int64_t> : ScalarType<Shape::kInt64> {};
template <>
struct TypeOf<double> : ScalarType<Shape::kDouble> {};
template <>
struct TypeOf<std::string> : ScalarType<Shape::kString> {};
template <>
struct TypeOf<quantity::Quantity> : ScalarType<Shape::kQuantity> {};
template <>
struct TypeOf<base::Time> : ScalarType<Shape::kTime> {};
template <>
struct TypeOf<base::Duration> : ScalarType<Shape::kDuration> {};
template <>
struct TypeOf<Json> : ScalarType<Shape::kJson> {};

template <class T>
struct TypeOf<std::optional<T>> {
  static constexpr OptionalAccess kAccess{
      .get = [](const void* self) -> const void* {
        const auto& o = *static_cast<const std::optional<T>*>(self);
        return o ? &*o : nullptr;
      },
      .emplace = [](void* self) -> void* {
        return &static_cast<std::optional<T>*>(self)->emplace();
      },
  };
  static constexpr Type value = [] {
    Type type = TypeOf<T>::value;
    type.optional = &kAccess;
    return type;
  }();
};

template <class T>
struct TypeOf<std::vector<T>> {
  static constexpr ListAccess kAccess{
      .size = [](const void* self) { return static_cast<const std::vector<T>*>(self)->size(); },
      .at = [](const void* self, size_t i) -> const void* {
        return &(*static_cast<const std::vector<T>*>(self))[i];
      },
      .append = [](void* self) -> void* {
        return &static_cast<std::vector<T>*>(self)->emplace_back();
      },
      .reserve = [](void* self, size_t n) { static_cast<std::vector<T>*>(self)->reserve(n); },
  };
  static constexpr Type value{
      .shape = Shape::kList, .element = &TypeOf<T>::value, .list = &kAccess};
};

template <class T>
struct TypeOf<base::FlatMap<T>> {
  static constexpr MapAccess kAccess{
      .size = [](const void* self) { return static_cast<const base::FlatMap<T>*>(self)->size(); },
      .at = [](const void* self, size_t i, std::string_view* key) -> const void* {
        const auto& entry =
            *(static_cast<const base::FlatMap<T>*>(self)->begin() + static_cast<std::ptrdiff_t>(i));
        *key = entry.first;
        return &entry.second;
      },
      .insert = [](void* self, std::string_view key, bool* is_new) -> void* {
        auto [value, fresh] = static_cast<base::FlatMap<T>*>(self)->Insert(key);
        *is_new = fresh;
        return value;
      },
      .reserve = [](void* self, size_t n) { static_cast<base::FlatMap<T>*>(self)->Reserve(n); },
  };
  static constexpr Type value{.shape = Shape::kMap, .element = &TypeOf<T>::value, .map = &kAccess};
};

namespace internal {
template <class T>
struct MemberOf;
template <class C, class M>
struct MemberOf<M C::*> {
  using Class = C;
  using Value = M;
};
}  // namespace internal

template <auto kMember>
constexpr Field Member(std::string_view name, std::string_view doc) {
  using Class = typename internal::MemberOf<decltype(kMember)>::Class;
  using Value = typename internal::MemberOf<decltype(kMember)>::Value;
  Field field;
  field.name = name;
  field.doc = doc;
  field.type = &TypeOf<Value>::value;
  field.member = [](void* self) -> void* { return &(static_cast<Class*>(self)->*kMember); };
  return field;
}

// A field that Berth preserves but never reads.
constexpr Field Carried(std::string_view name, const Type& type, std::string_view doc) {
  Field field;
  field.name = name;
  field.doc = doc;
  field.type = &type;
  return field;
}

template <class T>
constexpr Struct Describe(std::string_view name, std::string_view doc,
                          std::span<const Field> fields, std::span<const Rule> rules = {}) {
  return {.name = name,
          .doc = doc,
          .fields = fields,
          .rules = rules,
          .extra = [](void* self) -> Extra* { return &static_cast<T*>(self)->extra; },
          .make = []() -> void* { return new T(); },
          .destroy = [](void* self) { delete static_cast<T*>(self); },
          .reset = [](void* self) { *static_cast<T*>(self) = T(); }};
}

// The description of a carried object.
constexpr Struct DescribeCarried(std::string_view name, std::string_view doc,
                                 std::span<const Field> fields) {
  return {.name = name, .doc = doc, .fields = fields, .rules = {}};
}

// Types for carried fields.
inline constexpr Type kCarriedBool{.shape = Shape::kBool};
inline constexpr Type kCarriedInt32{.shape = Shape::kInt32};
inline constexpr Type kCarriedInt64{.shape = Shape::kInt64};
inline constexpr Type kCarriedString{.shape = Shape::kString};
inline constexpr Type kCarriedQuantity{.shape = Shape::kQuantity};
inline constexpr Type kCarriedTime{.shape = Shape::kTime};
inline constexpr Type kCarriedIntOrString{.shape = Shape::kIntOrString};
inline constexpr Type kCarriedJson{.shape = Shape::kJson};
inline constexpr Type kCarriedStrings{.shape = Shape::kList, .element = &kCarriedString};
inline constexpr Type kCarriedStringMap{.shape = Shape::kMap, .element = &kCarriedString};
inline constexpr Type kCarriedObjects{.shape = Shape::kList, .element = &kCarriedJson};
template <const Struct& (*kStructure)()>
inline constexpr Type kCarriedStruct{.shape = Shape::kStruct, .structure = kStructure};
template <const Struct& (*kStructure)()>
inline constexpr Type kCarriedStructs{.shape = Shape::kList,
                                      .element = &kCarriedStruct<kStructure>};

// --- Kinds ---------------------------------------------------------------------------------------

// A column of `kubectl get`.
struct Column {
  std::string_view name;
  std::string_view type;  // "string", "integer", "date"
  std::string_view json_path;
  std::string_view doc;
  bool is_wide = false;
  std::string_view previous_json_path = {};  // in the previous version, if different
};

// A kind of object that an API server serves.
struct Kind {
  std::string_view group;  // "" for the core group
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  bool is_namespaced = false;
  const Struct& (*structure)() = nullptr;
  // Other versions of the same group that are converted to this one on read.
  std::span<const std::string_view> previous_versions;
  std::span<const std::string_view> short_names;
  std::span<const std::string_view> categories;
  std::span<const Column> columns;
  bool has_status = false;
  std::string_view singular = {};  // the lower-case kind if empty
  // Fields for `kubectl get --field-selector`, as JSON paths; current version only.
  std::span<const std::string_view> selectable_fields = {};
  // Conversion from and to a previous version changes more than the apiVersion.
  bool is_converted = false;

  // "batch/v1", "v1".
  std::string ApiVersion() const {
    return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
  }
};

}  // namespace berth::schema
