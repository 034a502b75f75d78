#pragma once

// A described type that uses every feature, for the tests of the walkers.

#include <string_view>

#include "schema/describe.h"

namespace berth::schema::testing {

inline constexpr std::string_view kColours[] = {"Red", "Green", "Blue"};
inline constexpr std::string_view kPreviousColours[] = {"Pink"};
inline constexpr std::string_view kNameKey[] = {"name"};

inline bool IsLowerCase(std::string_view text) {
  for (const char c : text) {
    if (c < 'a' || c > 'z') return false;
  }
  return true;
}
inline constexpr Pattern kLowerCase{"^[a-z]*$", IsLowerCase, "lower-case letters only"};

struct Wheel {
  std::string name;
  int32_t spokes = 0;
  Extra extra;

  friend bool operator==(const Wheel&, const Wheel&) = default;
  static const Struct& Description() {
    static constexpr Field kFields[] = {
        Member<&Wheel::name>("name", "Which wheel.").Required().MinLength(1).MaxLength(8),
        Member<&Wheel::spokes>("spokes", "How many spokes.").Min(0).Max(64),
    };
    static constexpr Struct kStruct = Describe<Wheel>("Wheel", "A wheel.", kFields);
    return kStruct;
  }
};

struct Brake {
  std::string policy;
  std::optional<bool> is_on;
  Extra extra;

  friend bool operator==(const Brake&, const Brake&) = default;
  static const Struct& Description() {
    static constexpr Field kFields[] = {
        Member<&Brake::policy>("policy", "When it brakes.").Default("\"Never\""),
        Member<&Brake::is_on>("on", "Whether it brakes now.").Default("true"),
    };
    static constexpr Struct kStruct = Describe<Brake>("Brake", "A brake.", kFields);
    return kStruct;
  }
};

inline const Struct& LightShape() {
  static constexpr Field kFields[] = {
      Carried("watts", kCarriedInt32, "Power."),
      Carried("label", kCarriedString, "Maker."),
  };
  static constexpr Struct kStruct = DescribeCarried("Light", "A lamp.", kFields).Atomic();
  return kStruct;
}

struct Cart {
  std::string name;
  std::string colour;
  std::string previous_owner;  // v0 only
  std::string owner;
  int64_t miles = 0;
  std::optional<quantity::Quantity> load;
  std::optional<base::Time> built;
  std::optional<base::Time> seen;
  std::optional<base::Duration> ride;
  std::vector<Wheel> wheels;
  std::vector<std::string> tags;
  base::FlatMap<std::string> labels;
  base::FlatMap<quantity::Quantity> cargo;
  std::optional<Brake> brake;
  std::optional<double> slope;
  Json notes;
  Extra extra;

  friend bool operator==(const Cart&, const Cart&) = default;

  static const Struct& Description() {
    static constexpr Rule kRules[] = {
        Must<[](const Cart& c) { return c.wheels.size() != 3; }>("size(self.wheels) != 3",
                                                                 "a cart cannot have three wheels"),
        MustChange<[](const Cart& c, const Cart& old) { return c.miles >= old.miles; }>(
            "self.miles >= oldSelf.miles", "miles never go down"),
        Must<[](const Cart& c) { return c.owner != "none"; }>("self.owner != 'none'",
                                                              "a cart has an owner")
            .PreviousCel("self.keeper != 'none'"),
        Must<[](const Cart& c) { return !c.brake || c.brake->policy != "Always"; }>(
            "self.brake.policy != 'Always'", "a cart must move")
            .New(),
    };
    static constexpr Rule kTagRules[] = {
        Must<[](const std::vector<std::string>& tags) { return tags.front() != "last"; }>(
            "self[0] != 'last'", "\"last\" cannot come first"),
    };
    static constexpr Field kFields[] = {
        Member<&Cart::name>("name", "Its name.").Required().Matches(kLowerCase),
        Member<&Cart::colour>("colour", "Its colour.")
            .OneOf(kColours)
            .PreviousOneOf(kPreviousColours)
            .Default("\"Red\""),
        Member<&Cart::previous_owner>("master", "Who had it.").Previous(),
        Member<&Cart::owner>("owner", "Who has it.").PreviousName("keeper"),
        Member<&Cart::miles>("miles", "How far it went.").Min(0),
        Member<&Cart::load>("load", "What it may carry."),
        Member<&Cart::built>("built", "When it was built."),
        Member<&Cart::seen>("seen", "When it was last seen.").MicroTime(),
        Member<&Cart::ride>("ride", "How long a ride takes."),
        Member<&Cart::wheels>("wheels", "Its wheels.").MapBy(kNameKey).MaxItems(4),
        Member<&Cart::tags>("tags", "Free words.")
            .SetOf()
            .Items({.max_length = 4})
            .Rules(kTagRules),
        Member<&Cart::labels>("labels", "Labels.").Atomic(),
        Member<&Cart::cargo>("cargo", "What is on it."),
        Member<&Cart::brake>("brake", "Its brake.").Default("{}").New(),
        Member<&Cart::slope>("slope", "The road."),
        Member<&Cart::notes>("notes", "Anything."),
        Carried("light", kCarriedStruct<LightShape>, "Its light."),
        Carried("bells", kCarriedStrings, "Its bells."),
    };
    static constexpr Struct kStruct =
        Describe<Cart>("Cart", "A cart.", kFields, kRules).Upgrade([](void* self) {
          auto& cart = *static_cast<Cart*>(self);
          if (cart.owner.empty()) cart.owner = cart.previous_owner;
          cart.previous_owner.clear();
        });
    return kStruct;
  }

  static const Kind& KindInfo() {
    static constexpr std::string_view kShort[] = {"ca"};
    static constexpr std::string_view kPrevious[] = {"v0"};
    static constexpr std::string_view kSelectable[] = {".colour"};
    static constexpr Column kColumns[] = {
        {"Miles", "integer", ".miles", "How far it went."},
        {"Owner", "string", ".owner", "Who has it.", false, ".keeper"},
    };
    static constexpr Kind kKind{.group = "carts.example.com",
                                .version = "v1",
                                .kind = "Cart",
                                .plural = "carts",
                                .is_namespaced = true,
                                .structure = &Cart::Description,
                                .previous_versions = kPrevious,
                                .short_names = kShort,
                                .categories = {},
                                .columns = kColumns,
                                .has_status = true,
                                .selectable_fields = kSelectable,
                                .is_converted = true};
    return kKind;
  }
};

}  // namespace berth::schema::testing
