#pragma once

// The vocabulary that describes an API type once.
//
// A struct of `api` is plain data plus `static const schema::Struct& Description()`, which lists
// its fields: JSON name, member, one line of documentation, bounds, enum values, list semantics,
// default, and the rules that cross fields. Everything else reads that list: decode.h, encode.h,
// defaults.h, validate.h and crd.h. Nothing about a field is written twice.
//
//   struct FairSharing {
//     std::optional<quantity::Quantity> weight;
//     schema::Extra extra;
//     static const schema::Struct& Description();
//   };
//
//   const schema::Struct& FairSharing::Description() {
//     static constexpr schema::Field kFields[] = {
//         schema::Member<&FairSharing::weight>("weight", "Share of this node against its
//         siblings.")
//             .Default("1"),
//     };
//     static constexpr auto kStruct =
//         schema::Describe<FairSharing>("FairSharing", "How idle quota is shared.", kFields);
//     return kStruct;
//   }
//
// All descriptions are constant data with static life; the pointers in them never dangle.

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

// Members of a JSON object that have no C++ member: fields that Berth knows but never reads
// (Carried below) and fields that it does not know. They survive a round trip untouched.
struct Extra {
  // Compact JSON members without the braces: `"a":1,"b":{"c":[]}`. Empty if there are none.
  std::string members;

  friend bool operator==(const Extra&, const Extra&) = default;
};

// Any JSON value, kept as compact text. Empty means absent.
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
  kMap,  // from strings
};

// How a walker gets into a member without knowing its C++ type. `self` is the optional, list or
// map; what comes back points at the element inside.
struct OptionalAccess {
  const void* (*get)(const void* self);  // null if there is no value
  void* (*emplace)(void* self);          // a new value
};
struct ListAccess {
  size_t (*size)(const void* self);
  const void* (*at)(const void* self, size_t index);
  void* (*append)(void* self);  // a new element; the others may move
  void (*reserve)(void* self, size_t count);
};
struct MapAccess {
  size_t (*size)(const void* self);
  const void* (*at)(const void* self, size_t index, std::string_view* key);  // in key order
  void* (*insert)(void* self, std::string_view key, bool* is_new);
  void (*reserve)(void* self, size_t count);
};

// What a value may be. A Type without access functions describes carried fields.
struct Type {
  Shape shape = Shape::kJson;
  const Struct& (*structure)() = nullptr;  // kStruct
  const Type* element = nullptr;           // kList, kMap
  const OptionalAccess* optional = nullptr;
  const ListAccess* list = nullptr;
  const MapAccess* map = nullptr;
};

// A form that a string must have: the text goes to the CRD, the function decides here.
struct Pattern {
  std::string_view regex;
  bool (*matches)(std::string_view);
  std::string_view what;  // "a lower-case DNS label such as \"team-a\""
};

// What a single value must satisfy, besides its type.
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

// A rule that crosses fields: the CEL text that the API server evaluates, and the same as C++.
// `holds` gets the value and, for transition rules, what it was before; others get null.
struct Rule {
  std::string_view cel;
  std::string_view message;
  bool (*holds)(const void* self, const void* old) = nullptr;
  bool is_transition = false;  // the CEL text names oldSelf: checked on updates only
  bool is_new = false;         // about fields that the former version of the API does not have
  std::string_view former_cel = {};  // for the former version, where that has other names

  constexpr Rule New() const {
    Rule copy = *this;
    copy.is_new = true;
    return copy;
  }
  constexpr Rule FormerCel(std::string_view text) const {
    Rule copy = *this;
    copy.former_cel = text;
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

// How changes of a list merge. Maps are keyed by the fields in Field::keys.
enum class ListKind : uint8_t { kAtomic, kSet, kMap };

struct Field {
  std::string_view name;  // as in JSON
  std::string_view doc;   // one line
  const Type* type = nullptr;
  void* (*member)(void* self) = nullptr;  // null: carried, see Extra

  bool is_required = false;
  bool is_micro_time = false;
  bool is_former = false;  // exists in the former version of the API only
  bool is_new = false;     // does not exist in the former version
  bool preserves_unknown = false;
  bool is_atomic = false;        // of maps: written as a whole, never key by key
  std::string_view former_name;  // its name in the former version, if it had another
  std::span<const std::string_view> former_one_of;  // values that only the former version had
  std::string_view default_json;
  Bounds bounds;
  Bounds item_bounds;  // of the elements of a list, the values of a map
  ListKind list_kind = ListKind::kAtomic;
  std::span<const std::string_view> keys;
  std::string_view patch_key;  // merge key of strategic merge patches, where the kind has it
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
  constexpr Field Former() const { return With(&Field::is_former, true); }
  constexpr Field New() const { return With(&Field::is_new, true); }
  constexpr Field PreservesUnknown() const { return With(&Field::preserves_unknown, true); }
  constexpr Field Atomic() const { return With(&Field::is_atomic, true); }
  constexpr Field FormerName(std::string_view n) const { return With(&Field::former_name, n); }
  constexpr Field FormerOneOf(std::span<const std::string_view> values) const {
    return With(&Field::former_one_of, values);
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
  // Folds members that only the former API version has into today's, after reading such an object.
  void (*upgrade)(void* self) = nullptr;
  void* (*make)() = nullptr;
  void (*destroy)(void* self) = nullptr;
  void (*reset)(void* self) = nullptr;  // to what `make` gives
  // Unknown fields are legal here (free-form objects): strict reading does not report them.
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

// --- From C++ types to Types ------------------------------------------------------------------

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

// A field that Berth keeps but never reads.
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

// The shape of an object that is only carried.
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

// --- Kinds --------------------------------------------------------------------------------------

// A column of `kubectl get`.
struct Column {
  std::string_view name;
  std::string_view type;  // "string", "integer", "date"
  std::string_view json_path;
  std::string_view doc;
  bool is_wide = false;
  std::string_view former_json_path = {};  // in the former version, if that has another name for it
};

// A kind of object that an API server serves.
struct Kind {
  std::string_view group;  // "" for the core group
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  bool is_namespaced = false;
  const Struct& (*structure)() = nullptr;
  // Other versions of the same group that are read and turned into this one.
  std::span<const std::string_view> former_versions;
  std::span<const std::string_view> short_names;
  std::span<const std::string_view> categories;
  std::span<const Column> columns;
  bool has_status = false;
  std::string_view singular = {};  // the kind in lower case if empty
  // What `kubectl get --field-selector` can ask for, as JSON paths; today's version only.
  std::span<const std::string_view> selectable_fields = {};
  // Objects of a former version are turned into today's and back by more than their apiVersion.
  bool is_converted = false;

  // "batch/v1", "v1".
  std::string ApiVersion() const {
    return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
  }
};

}  // namespace berth::schema
