#pragma once

// Tells clients that the state changed, over server-sent events.

#include <cstdint>
#include <memory>
#include <string>

#include "dashboard/state_source.h"
#include "http/message.h"

namespace berth::dashboard {

// The revision is looked at only while there are clients, once for all of them. Streams may belong
// to several servers, one after the other; each ends its streams before it stops.
class Updates {
 public:
  // `epoch`: begins all revisions.
  Updates(StateSource source, std::string epoch);

  // Answers the exchange with a stream: `event: change` with the revision within kPeriod, and then
  // at most once each kPeriod after changes. `head`: with the headers of the response. `client`:
  // each has at most kMostStreams. The stream ends after kLongest; clients begin another one.
  void Begin(const std::string& client, http::Response head, http::Exchange& exchange);

 private:
  static constexpr base::Duration kPeriod = base::Duration::Milliseconds(500);
  static constexpr base::Duration kComment = base::Duration::Seconds(15);
  static constexpr base::Duration kLongest = base::Duration::Seconds(1800);
  static constexpr size_t kMostStreams = 16;

  struct Subscriber;
  class Subscribers;

  std::shared_ptr<Subscribers> subscribers_;
};

}  // namespace berth::dashboard
