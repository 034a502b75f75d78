#include "schema/yaml/timestamp.h"

#include <chrono>
#include <cstddef>

#include "base/text.h"

namespace berth::schema {
namespace {

using base::IsDigit;

// Scans the text from left to right; a failure is sticky.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  bool at_end() const { return text_.empty(); }
  bool Sees(char c) const { return text_.starts_with(c); }

  void Expect(char c) {
    if (Sees(c)) {
      text_.remove_prefix(1);
    } else {
      failed_ = true;
    }
  }

  // Between min_digits and max_digits digits, at most `limit`.
  int Number(size_t min_digits, size_t max_digits, int limit) {
    int value = 0;
    size_t count = 0;
    while (count < max_digits && count < text_.size() && IsDigit(text_[count])) {
      value = value * 10 + (text_[count++] - '0');
    }
    text_.remove_prefix(count);
    if (count < min_digits || value > limit) failed_ = true;
    return value;
  }

  void SkipFraction() {
    if (text_.size() < 2 || (text_[0] != '.' && text_[0] != ',') || !IsDigit(text_[1])) return;
    text_.remove_prefix(1);
    while (!text_.empty() && IsDigit(text_.front())) text_.remove_prefix(1);
  }

 private:
  std::string_view text_;
  bool failed_ = false;
};

bool ScanDate(Scan& scan) {
  const int year = scan.Number(4, 4, 9999);
  scan.Expect('-');
  const int month = scan.Number(1, 2, 12);
  scan.Expect('-');
  const int day = scan.Number(1, 2, 31);
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  return !scan.failed() && date.ok();
}

void ScanTimeOfDay(Scan& scan) {
  scan.Number(1, 2, 23);
  scan.Expect(':');
  scan.Number(1, 2, 59);
  scan.Expect(':');
  scan.Number(1, 2, 59);
  scan.SkipFraction();
}

void ScanZone(Scan& scan) {
  if (scan.Sees('Z')) return scan.Expect('Z');
  scan.Expect(scan.Sees('-') ? '-' : '+');
  scan.Number(2, 2, 24);  // offsets of 24 hours occur in practice
  scan.Expect(':');
  scan.Number(2, 2, 60);
}

}  // namespace

bool IsTimestamp(std::string_view text) {
  Scan scan(text);
  if (!ScanDate(scan)) return false;
  if (scan.at_end()) return true;
  const bool has_zone = !scan.Sees(' ');
  scan.Expect(!has_zone ? ' ' : scan.Sees('t') ? 't' : 'T');
  ScanTimeOfDay(scan);
  if (has_zone) ScanZone(scan);
  return !scan.failed() && scan.at_end();
}

}  // namespace berth::schema
