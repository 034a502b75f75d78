#include "lint/report.h"

namespace berth::lint {
namespace {

ObjectName NameOf(const api::Manifest& manifest) {
  const api::ObjectMeta& metadata = manifest.metadata();
  return {.api_version = manifest.api_version,
          .kind = manifest.kind,
          .namespace_ = metadata.namespace_,
          .name = metadata.name.empty() ? metadata.generate_name : metadata.name};
}

}  // namespace

base::Place Report::PlaceOf(const Entry& entry, std::string_view field) {
  if (located_ != &entry) {
    locator_.emplace(entry.manifest->source);
    located_ = &entry;
  }
  return locator_->Find(field);
}

void Report::Add(const Entry& entry, Severity severity, std::string_view rule, Detail detail) {
  if (severity == Severity::kError) wrong_.insert(&entry);
  base::Place place = PlaceOf(entry, detail.field);
  findings_.push_back({.severity = severity,
                       .rule = std::string(rule),
                       .object = NameOf(*entry.manifest),
                       .field = std::move(detail.field),
                       .place = std::move(place),
                       .message = std::move(detail.message),
                       .hint = std::move(detail.hint)});
}

void Report::Add(const Entry& entry, Severity severity, std::string_view rule,
                 const schema::Problem& problem) {
  if (severity == Severity::kError) wrong_.insert(&entry);
  const bool is_placed = problem.place.line > 0 || entry.manifest->source.json.empty();
  findings_.push_back({.severity = severity,
                       .rule = std::string(rule),
                       .object = NameOf(*entry.manifest),
                       .field = problem.field,
                       .place = is_placed ? problem.place : PlaceOf(entry, problem.field),
                       .message = problem.message,
                       .hint = problem.hint});
}

Findings Report::Take() && {
  Sort(findings_);
  return std::move(findings_);
}

}  // namespace berth::lint
