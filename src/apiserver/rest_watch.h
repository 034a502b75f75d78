#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/http_message.h"
#include "apiserver/rest_catalog.h"
#include "apiserver/rest_request.h"
#include "apiserver/service.h"
#include "apiserver/table.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// The events of a watch as lines of JSON, in the form that the client asked for.
class EventLines {
 public:
  // `catalog` owns what the view points at.
  EventLines(RestView view, std::shared_ptr<const Catalog> catalog);

  struct Line {
    std::string_view prefix;
    SharedText text;
    std::string_view suffix;

    std::string ToString() const { return std::string(prefix) + *text + std::string(suffix); }
  };
  // Not for the end of a watch, which has no line.
  Line Of(const store::Event& event, base::Time now);
  static Line Of(const store::Failure& failure);

 private:
  SharedText TextOf(const store::Object& object, base::Time now);
  std::string Bookmark(const store::Event& event, base::Time now) const;

  RestView view_;
  std::shared_ptr<const Catalog> catalog_;
  std::optional<TableMaker> table_;
  bool has_sent_columns_ = false;
};

// Answers a request with the events of a watch until its time is over or the client goes. Events
// are taken from the history when the client has room for them, so a client that is slow costs
// nothing but its place in the history. What goes wrong after the beginning is told as an event of
// type ERROR.
void StreamWatch(Service& service, const store::Watch& watch, RestView view,
                 std::shared_ptr<const Catalog> catalog, HttpExchange& exchange);

}  // namespace berth::apiserver
