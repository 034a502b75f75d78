#include "workload/requests/resource_list.h"

namespace berth::workload {
namespace {

// `on_both` gets the quantity of `list` and the other one.
template <class OnBoth>
void Merge(api::ResourceList& list, const api::ResourceList& other, OnBoth on_both) {
  for (const auto& [name, quantity] : other) {
    auto [own, is_new] = list.Insert(name);
    if (is_new) {
      *own = quantity;
    } else {
      on_both(*own, quantity);
    }
  }
}

}  // namespace

void AddTo(api::ResourceList& list, const api::ResourceList& other) {
  Merge(list, other, [](quantity::Quantity& own, const quantity::Quantity& q) { own.Add(q); });
}

void AddMissing(api::ResourceList& list, const api::ResourceList& other) {
  Merge(list, other, [](quantity::Quantity&, const quantity::Quantity&) {});
}

void KeepHigher(api::ResourceList& list, const api::ResourceList& other) {
  Merge(list, other, [](quantity::Quantity& own, const quantity::Quantity& q) {
    if (q > own) own = q;
  });
}

void KeepLower(api::ResourceList& list, const api::ResourceList& other) {
  Merge(list, other, [](quantity::Quantity& own, const quantity::Quantity& q) {
    if (q < own) own = q;
  });
}

}  // namespace berth::workload
