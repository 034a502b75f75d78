#include "cli/journal/journal_input.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "cli/printable.h"
#include "quantity/quantity.h"

namespace berth::cli {
namespace {

constexpr int64_t kLeastJournalBytes = 1 << 20;
constexpr base::Duration kLeastJournalAge = base::Duration::Seconds(60);

}  // namespace

std::string DefaultDataDir() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data != '\0') return std::string(data) + "/berth";
  const char* home = std::getenv("HOME");
  return home == nullptr ? "berth-data" : std::string(home) + "/.local/share/berth";
}

void AddJournalBounds(CLI::App& command, JournalArguments& arguments) {
  command.add_option("--journal-size", arguments.size, "Most bytes of the journal (default: 1Gi)")
      ->option_text("1Gi");
  command
      .add_option("--journal-age", arguments.age,
                  "Age from which on records are dropped (default: 720h)")
      ->option_text("720h");
}

std::optional<std::optional<journal::Settings>> ReadJournalArguments(
    const JournalArguments& arguments, Output& err) {
  if (arguments.directory.empty()) return std::optional<journal::Settings>();
  const auto size = quantity::Quantity::Parse(arguments.size);
  if (!size || size->Value() < kLeastJournalBytes) {
    err << "berth: --journal-size " << Printable(arguments.size)
        << " is not a size of at least 1Mi\n  write it like 500Mi or 2Gi\n";
    return std::nullopt;
  }
  const auto age = base::ParseDuration(arguments.age);
  if (!age || *age < kLeastJournalAge) {
    err << "berth: --journal-age " << Printable(arguments.age)
        << " is not a duration of at least a minute\n  write it like 24h or 720h\n";
    return std::nullopt;
  }
  return journal::Settings{.directory = arguments.directory,
                           .most_bytes = static_cast<uint64_t>(size->Value()),
                           .most_age = *age};
}

void AddJournalOption(CLI::App& command, std::string& journal) {
  command.add_option("--journal", journal, "Directory of the journal (default: of `berth up`)")
      ->option_text("DIR");
}

std::optional<journal::Reader> OpenJournal(const std::string& path, Output& err) {
  auto reader = journal::Reader::Open(path.empty() ? DefaultDataDir() + "/journal" : path);
  if (reader) return *std::move(reader);
  err << "berth: " << Printable(reader.error().message) << "\n  " << Printable(reader.error().hint)
      << "\n";
  return std::nullopt;
}

void ReportDamage(const journal::Reader& reader, Output& err) {
  for (const std::string& damage : reader.damages()) err << "berth: " << Printable(damage) << "\n";
}

std::optional<base::Time> ReadTimeOption(const std::string& option, const std::string& text,
                                         base::Time otherwise, Output& err) {
  if (text.empty()) return otherwise;
  const std::optional<base::Time> time = base::ParseTime(text);
  if (!time)
    err << "berth: " << option << " " << Printable(text)
        << " is not a time\n  write it like 2026-01-02T15:04:05Z\n";
  return time;
}

}  // namespace berth::cli
