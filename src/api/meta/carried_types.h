#pragma once

#include "schema/describe.h"

// Additional types for schema::Carried, common in Kubernetes objects.
namespace berth::api {

inline constexpr schema::Type kCarriedDouble{.shape = schema::Shape::kDouble};
inline constexpr schema::Type kCarriedInt32s{.shape = schema::Shape::kList,
                                             .element = &schema::kCarriedInt32};
inline constexpr schema::Type kCarriedInt64s{.shape = schema::Shape::kList,
                                             .element = &schema::kCarriedInt64};
inline constexpr schema::Type kCarriedBools{.shape = schema::Shape::kList,
                                            .element = &schema::kCarriedBool};
inline constexpr schema::Type kCarriedQuantities{.shape = schema::Shape::kList,
                                                 .element = &schema::kCarriedQuantity};
inline constexpr schema::Type kCarriedQuantityMap{.shape = schema::Shape::kMap,
                                                  .element = &schema::kCarriedQuantity};
template <const schema::Struct& (*kStructure)()>
inline constexpr schema::Type kCarriedStructMap{.shape = schema::Shape::kMap,
                                                .element = &schema::kCarriedStruct<kStructure>};

}  // namespace berth::api
