#pragma once

#include <optional>
#include <string>

#include "base/time.h"
#include "cli/output.h"
#include "journal/reader.h"
#include "journal/recorder.h"

namespace CLI {
class App;
}

namespace berth::cli {

// Where `berth up` keeps its data without --data-dir.
std::string DefaultDataDir();

// The journal that a command keeps.
struct JournalArguments {
  std::string directory;  // "": none
  std::string size = "1Gi";
  std::string age = "720h";
};

// --journal-size and --journal-age.
void AddJournalBounds(CLI::App& command, JournalArguments& arguments);
// Nullopt if a value is none, and `err` says so; contains nullopt if there is no journal.
std::optional<std::optional<journal::Settings>> ReadJournalArguments(
    const JournalArguments& arguments, Output& err);

// --journal; without it, that of `berth up`.
void AddJournalOption(CLI::App& command, std::string& journal);
// Nullopt if it cannot be read; `err` says why.
std::optional<journal::Reader> OpenJournal(const std::string& path, Output& err);
// Says what of the journal was damaged.
void ReportDamage(const journal::Reader& reader, Output& err);

// The time of an option; `otherwise` if it is not given; nullopt if it is none, and `err` says so.
std::optional<base::Time> ReadTimeOption(const std::string& option, const std::string& text,
                                         base::Time otherwise, Output& err);

}  // namespace berth::cli
