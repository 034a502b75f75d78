#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "json/json.h"
#include "store/wait_for.h"

namespace berth::store::testing {

// Creates and reads objects by type, one blocking call at a time.
class TypedClient {
 public:
  // The store must outlive the client.
  explicit TypedClient(Store& store) : store_(store) {}

  Outcome<Reply> Do(Call call) const {
    return WaitFor(store_, std::move(call), base::Duration::Seconds(120));
  }

  // In the namespace "default" if the kind is namespaced.
  template <class T>
  void Create(std::string object) const {
    const auto created =
        Do(store::Create{.resource = ResourceOf<T>(),
                         .namespace_ = T::KindInfo().is_namespaced ? "default" : "",
                         .object = std::move(object),
                         .options = {}});
    ASSERT_TRUE(created) << ToString(created.error());
  }

  // Null if there is no such object.
  template <class T>
  json::value Get(const std::string& name, const std::string& namespace_name = "default") const {
    const auto got =
        Do(store::Get{.resource = ResourceOf<T>(), .namespace_ = namespace_name, .name = name});
    return got ? json::Parse(got->object.text()).value_or(nullptr) : json::value();
  }

 private:
  Store& store_;
};

}  // namespace berth::store::testing
