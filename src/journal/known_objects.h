#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "journal/record.h"

namespace berth::journal {

// The objects of a journal as of its last record. Writer and reader keep the same ones: a record
// refers to them.
class KnownObjects {
 public:
  using Text = std::shared_ptr<const std::string>;
  using Parts = std::vector<Text>;
  // apiVersion, kind, namespace, name.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  static Key KeyOf(const Upsert& object);
  static Key KeyOf(const Removal& object);

  // What a part is probably similar to: the same part of the object before, or of the last new
  // object of the kind. "" without either.
  Text BaseOf(const Key& key, size_t part) const;
  bool Contains(const Key& key) const { return objects_.contains(key); }
  // Equal texts are kept once where BaseOf is the same.
  void Set(const Key& key, const std::vector<std::string>& parts);
  void Erase(const Key& key) { objects_.erase(key); }
  void Clear();

  // By key.
  const std::map<Key, Parts>& all() const { return objects_; }

 private:
  using KindKey = std::pair<std::string, std::string>;

  std::map<Key, Parts> objects_;
  std::map<KindKey, Parts> newest_;
};

}  // namespace berth::journal
