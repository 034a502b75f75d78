#include "journal/recorder.h"

#include <utility>

#include "journal/recorded_call.h"

namespace berth::journal {

base::Result<std::unique_ptr<Recorder>> Recorder::Start(const Settings& settings, Context context) {
  Header header =
      HeaderFor(context.configuration, context.gates, control::Controller::kStateOptions);
  header.version = std::move(context.version);
  header.start = context.now;
  auto writer = Writer::Open({.directory = settings.directory,
                              .most_bytes = settings.most_bytes,
                              .most_age = settings.most_age,
                              .header = std::move(header),
                              .log = std::move(context.log)});
  if (!writer) return std::unexpected(writer.error());
  return std::unique_ptr<Recorder>(new Recorder(*std::move(writer)));
}

void Recorder::Attach(control::Controller::Settings& settings) {
  settings.record_call = [this](const workload::StateCall& call) {
    if (!writer_->is_stopped()) writer_->Append(RecordOf(call));
  };
  settings.record_cycle = [this](const control::CycleResult& result, base::Time now) {
    if (!writer_->is_stopped()) writer_->Append(RecordOf(result, now));
  };
}

}  // namespace berth::journal
