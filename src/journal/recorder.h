#pragma once

// Keeps a journal of controllers.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "base/error.h"
#include "base/time.h"
#include "control/controller.h"
#include "journal/writer.h"

namespace berth::journal {

struct Settings {
  std::filesystem::path directory;
  uint64_t most_bytes = uint64_t{1} << 30;
  base::Duration most_age = base::Duration::Seconds(int64_t{30} * 86400);
};

class Recorder {
 public:
  struct Context {
    const api::Configuration& configuration;
    const api::FeatureGates& gates;
    std::string version;  // of Berth
    base::Time now;
    // Called from any thread.
    std::function<void(std::string_view)> log;
  };

  static base::Result<std::unique_ptr<Recorder>> Start(const Settings& settings, Context context);

  // Has the controllers record. This must outlive them.
  void Attach(control::Controller::Settings& settings);
  Writer& writer() { return *writer_; }

 private:
  explicit Recorder(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}

  std::unique_ptr<Writer> writer_;
};

}  // namespace berth::journal
