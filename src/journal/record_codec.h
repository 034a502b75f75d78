#pragma once

// Records as bytes. An object is encoded as its difference from what is known already: its parts
// differ from their base (known_objects.h) between a common start and a common end. Decisions are
// encoded relative to the last one of their kind.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "journal/known_objects.h"
#include "journal/record.h"
#include "journal/wire.h"

namespace berth::journal {

// What a record may refer to.
struct CodecState {
  KnownObjects objects;
  std::map<Decision::Kind, Decision> last_decisions;

  void Clear() {
    objects.Clear();
    last_decisions.clear();
  }
};

class RecordEncoder {
 public:
  // Appends a record. Afterwards the state includes it.
  void Encode(const Record& record, std::string& out);
  void Clear() { state_.Clear(); }
  const KnownObjects& objects() const { return state_.objects; }

 private:
  CodecState state_;
};

class RecordDecoder {
 public:
  // Nullopt if the bytes are no record.
  std::optional<Record> Decode(std::string_view bytes);
  void Clear() { state_.Clear(); }
  const KnownObjects& objects() const { return state_.objects; }

 private:
  CodecState state_;
};

}  // namespace berth::journal
