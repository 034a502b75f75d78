#include "journal/record_codec.h"

#include <algorithm>
#include <utility>

namespace berth::journal {
namespace {

// The first byte of a record: its place in the variant.
enum class RecordType : uint8_t {
  kHeader,
  kUpsert,
  kRemoval,
  kSnapshotEnd,
  kSync,
  kAdvance,
  kUndo,
  kBackOff,
  kCycle,
};
// Later than any real time; sums of times and durations stay far from their limits.
constexpr base::Time kLastTime = base::Time::FromSeconds(253'402'300'799);
// A short record may repeat long texts; no cycle decides this much.
constexpr size_t kMostDecodedBytes = size_t{256} << 20;
constexpr auto kLastDecisionKind = static_cast<uint8_t>(Decision::Kind::kNoPlace);

// --- Differences ---------------------------------------------------------------------------------

void PutDifference(std::string_view base, std::string_view text, WireWriter& out) {
  const size_t most = std::min(base.size(), text.size());
  const size_t start = static_cast<size_t>(
      std::ranges::mismatch(base.substr(0, most), text.substr(0, most)).in1 - base.begin());
  size_t end = 0;
  while (end < most - start && base[base.size() - 1 - end] == text[text.size() - 1 - end]) ++end;
  out.Number(start);
  out.Number(end);
  out.Text(text.substr(start, text.size() - start - end));
}

std::optional<std::string> TakeDifference(std::string_view base, WireReader& in) {
  const uint64_t start = in.Number();
  const uint64_t end = in.Number();
  const std::string_view middle = in.Text();
  if (!in.is_ok() || start > base.size() || end > base.size() - start) return std::nullopt;
  std::string text(base.substr(0, start));
  text.append(middle);
  text.append(base.substr(base.size() - end));
  return text;
}

// --- Objects -------------------------------------------------------------------------------------

template <class T>
void PutName(const T& object, WireWriter& out) {
  out.Text(object.api_version);
  out.Text(object.kind);
  out.Text(object.namespace_);
  out.Text(object.name);
}

template <class T>
T TakeName(WireReader& in) {
  T object;
  object.api_version = in.Text();
  object.kind = in.Text();
  object.namespace_ = in.Text();
  object.name = in.Text();
  return object;
}

void Put(const Upsert& object, CodecState& state, WireWriter& out) {
  PutName(object, out);
  const KnownObjects::Key key = KnownObjects::KeyOf(object);
  const bool is_known = state.objects.Contains(key);
  std::vector<std::string> parts = object.parts;
  out.Number(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const KnownObjects::Text base = state.objects.BaseOf(key, i);
    if (parts[i].empty() && is_known) parts[i] = *base;
    PutDifference(*base, parts[i], out);
  }
  state.objects.Set(key, parts);
}

std::optional<Record> TakeUpsert(CodecState& state, WireReader& in) {
  auto object = TakeName<Upsert>(in);
  const KnownObjects::Key key = KnownObjects::KeyOf(object);
  const uint64_t parts = in.Number();
  for (uint64_t i = 0; i < parts; ++i) {
    auto part = TakeDifference(*state.objects.BaseOf(key, i), in);
    if (!part || part->empty()) return std::nullopt;
    object.parts.push_back(*std::move(part));
  }
  if (!in.is_ok()) return std::nullopt;
  state.objects.Set(key, object.parts);
  return object;
}

void Put(const Removal& object, CodecState& state, WireWriter& out) {
  PutName(object, out);
  state.objects.Erase(KnownObjects::KeyOf(object));
}

std::optional<Record> TakeRemoval(CodecState& state, WireReader& in) {
  auto object = TakeName<Removal>(in);
  state.objects.Erase(KnownObjects::KeyOf(object));
  return object;
}

// --- Decisions -----------------------------------------------------------------------------------

void Put(const Decision& decision, CodecState& state, WireWriter& out) {
  Decision& last = state.last_decisions[decision.kind];
  out.Byte(static_cast<uint8_t>(decision.kind));
  out.Byte(decision.is_inadmissible ? 1 : 0);
  out.Text(decision.workload);
  PutDifference(last.reason, decision.reason, out);
  PutDifference(last.message, decision.message, out);
  PutDifference(last.preempting_queue, decision.preempting_queue, out);
  PutDifference(last.admission, decision.admission, out);
  out.Number(decision.replaced.size());
  for (const std::string& slice : decision.replaced) out.Text(slice);
  last = decision;
}

bool TakeText(std::string_view base, std::string& text, WireReader& in) {
  auto taken = TakeDifference(base, in);
  if (!taken) return false;
  text = *std::move(taken);
  return true;
}

std::optional<Decision> TakeDecision(CodecState& state, WireReader& in) {
  Decision decision;
  const uint8_t kind = in.Byte();
  if (kind > kLastDecisionKind) return std::nullopt;
  decision.kind = static_cast<Decision::Kind>(kind);
  decision.is_inadmissible = in.Byte() != 0;
  decision.workload = in.Text();
  Decision& last = state.last_decisions[decision.kind];
  if (!TakeText(last.reason, decision.reason, in) || !TakeText(last.message, decision.message, in))
    return std::nullopt;
  if (!TakeText(last.preempting_queue, decision.preempting_queue, in) ||
      !TakeText(last.admission, decision.admission, in))
    return std::nullopt;
  const uint64_t replaced = in.Number();
  for (uint64_t i = 0; i < replaced && in.is_ok(); ++i) decision.replaced.emplace_back(in.Text());
  last = decision;
  return decision;
}

void Put(const Cycle& cycle, CodecState& state, WireWriter& out) {
  out.Signed(cycle.now.micros);
  out.Number(cycle.decisions.size());
  for (const Decision& decision : cycle.decisions) Put(decision, state, out);
}

std::optional<Record> TakeCycle(CodecState& state, WireReader& in) {
  Cycle cycle{.now = {in.Signed()}, .decisions = {}};
  const uint64_t decisions = in.Number();
  size_t bytes = 0;
  for (uint64_t i = 0; i < decisions; ++i) {
    auto decision = TakeDecision(state, in);
    if (!decision || !in.is_ok()) return std::nullopt;
    bytes += decision->message.size() + decision->admission.size();
    if (bytes > kMostDecodedBytes) return std::nullopt;
    cycle.decisions.push_back(*std::move(decision));
  }
  return cycle;
}

// --- The others ----------------------------------------------------------------------------------

void Put(const Header& header, CodecState&, WireWriter& out) {
  out.Number(header.number);
  out.Byte(header.is_continued ? 1 : 0);
  out.Signed(header.start.micros);
  out.Text(header.version);
  out.Text(header.configuration);
  out.Text(header.gates);
  out.Byte(header.has_topology ? 1 : 0);
  out.Signed(header.node_round.nanos);
  out.Signed(header.pod_round.nanos);
}

Record TakeHeader(WireReader& in) {
  Header header;
  header.number = in.Number();
  header.is_continued = in.Byte() != 0;
  header.start.micros = in.Signed();
  header.version = in.Text();
  header.configuration = in.Text();
  header.gates = in.Text();
  header.has_topology = in.Byte() != 0;
  header.node_round.nanos = in.Signed();
  header.pod_round.nanos = in.Signed();
  return header;
}

void Put(const SnapshotEnd&, CodecState&, WireWriter&) {}
void Put(const Sync& sync, CodecState&, WireWriter& out) { out.Signed(sync.now.micros); }
void Put(const Advance& advance, CodecState&, WireWriter& out) { out.Signed(advance.now.micros); }
void Put(const Undo& undo, CodecState&, WireWriter& out) { out.Text(undo.uid); }
void Put(const BackOff& back_off, CodecState&, WireWriter& out) {
  out.Text(back_off.uid);
  out.Signed(back_off.until.micros);
}

BackOff TakeBackOff(WireReader& in) {
  BackOff back_off;
  back_off.uid = in.Text();
  back_off.until.micros = in.Signed();
  return back_off;
}

std::optional<Record> Take(RecordType type, CodecState& state, WireReader& in) {
  switch (type) {
    case RecordType::kHeader:
      return TakeHeader(in);
    case RecordType::kUpsert:
      return TakeUpsert(state, in);
    case RecordType::kRemoval:
      return TakeRemoval(state, in);
    case RecordType::kSnapshotEnd:
      return SnapshotEnd{};
    case RecordType::kSync:
      return Sync{{in.Signed()}};
    case RecordType::kAdvance:
      return Advance{{in.Signed()}};
    case RecordType::kUndo:
      return Undo{std::string(in.Text())};
    case RecordType::kBackOff:
      return TakeBackOff(in);
    case RecordType::kCycle:
      return TakeCycle(state, in);
  }
  return std::nullopt;
}

}  // namespace

void RecordEncoder::Encode(const Record& record, std::string& out) {
  WireWriter wire(out);
  wire.Byte(static_cast<uint8_t>(record.index()));
  std::visit([&](const auto& value) { Put(value, state_, wire); }, record);
}

std::optional<Record> RecordDecoder::Decode(std::string_view bytes) {
  WireReader in(bytes);
  auto record = Take(static_cast<RecordType>(in.Byte()), state_, in);
  if (!record || !in.is_ok() || !in.is_at_end()) return std::nullopt;
  if (const auto time = TimeOf(*record); time && (*time < base::kZeroTime || kLastTime < *time))
    return std::nullopt;
  return record;
}

}  // namespace berth::journal
