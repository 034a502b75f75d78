#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/handler/api_handler.h"
#include "apiserver/rest/catalog.h"
#include "apiserver/rest/request.h"
#include "apiserver/table/table.h"
#include "http/message.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// Watch events as lines of JSON in the negotiated form.
class EventLines {
 public:
  // `catalog` owns the kind that the view points to.
  EventLines(RestView view, std::shared_ptr<const Catalog> catalog);

  struct Line {
    std::string_view prefix;
    http::SharedText text;
    std::string_view suffix;

    std::string ToString() const { return std::string(prefix) + *text + std::string(suffix); }
  };
  // Not for the end of a watch, which has no line.
  Line Of(const store::Event& event, base::Time now);
  static Line Of(const store::Failure& failure);

 private:
  http::SharedText TextOf(const store::Object& object, base::Time now);
  std::string Bookmark(const store::Event& event, base::Time now) const;

  RestView view_;
  std::shared_ptr<const Catalog> catalog_;
  std::optional<TableMaker> table_;
  bool has_sent_columns_ = false;
};

// Streams watch events until the timeout or until the client disconnects. Events are read from the
// history when the client has room, so a slow client costs no memory. Later failures are sent as an
// event of type ERROR.
void StreamWatch(ApiHandler& handler, const store::Watch& watch, RestView view,
                 std::shared_ptr<const Catalog> catalog, http::Exchange& exchange);

}  // namespace berth::apiserver
