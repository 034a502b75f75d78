#include "journal/segment.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

#include "base/crc32c.h"

namespace berth::journal {
namespace {

constexpr std::string_view kPrefix = "journal-";
constexpr size_t kDigits = 6;

std::optional<uint64_t> NumberOf(std::string_view name) {
  if (!name.starts_with(kPrefix) || name.size() < kPrefix.size() + kDigits) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

uint32_t WordAt(std::string_view bytes) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

std::string SegmentName(uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
  return std::string(kPrefix) + digits;
}

base::Result<std::vector<SegmentFile>> ListSegments(const std::filesystem::path& directory) {
  std::vector<SegmentFile> segments;
  std::error_code error;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    const auto number = NumberOf(it->path().filename().string());
    if (!number) continue;
    struct stat file{};
    if (::stat(it->path().c_str(), &file) != 0) continue;
    segments.push_back(
        {.number = *number,
         .path = it->path(),
         .bytes = static_cast<uint64_t>(file.st_size),
         .modified = {file.st_mtim.tv_sec * 1'000'000 + file.st_mtim.tv_nsec / 1'000}});
  }
  if (error)
    return base::Fail("journal " + directory.string() + " not readable: " + error.message(),
                      "name the directory of a journal, as in `berth up --data-dir`: DIR/journal");
  std::ranges::sort(segments, {}, &SegmentFile::number);
  return segments;
}

void CloseFrame(std::string& out, size_t start) {
  const std::string_view record = std::string_view(out).substr(start + kFrameHeaderBytes);
  const auto size = static_cast<uint32_t>(record.size());
  const uint32_t crc = base::Crc32c(record);
  std::memcpy(out.data() + start, &size, sizeof size);
  std::memcpy(out.data() + start + sizeof size, &crc, sizeof crc);
}

FrameReader::FrameReader(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {
  if (rest_.starts_with(kMagic)) rest_.remove_prefix(kMagic.size());
}

bool FrameReader::is_torn() const {
  if (offset() == 0) return kMagic.starts_with(rest_);
  if (rest_.empty()) return false;
  if (rest_.size() < kFrameHeaderBytes) return true;
  const uint32_t size = WordAt(rest_);
  return size <= kMostRecordBytes && size > rest_.size() - kFrameHeaderBytes;
}

std::optional<std::string_view> FrameReader::Next() {
  if (size_ < kMagic.size() || offset() == 0) return std::nullopt;  // no magic
  if (rest_.size() < kFrameHeaderBytes) return std::nullopt;
  const uint32_t size = WordAt(rest_);
  const uint32_t crc = WordAt(rest_.substr(sizeof size));
  if (size > kMostRecordBytes || size > rest_.size() - kFrameHeaderBytes) return std::nullopt;
  const std::string_view record = rest_.substr(kFrameHeaderBytes, size);
  if (base::Crc32c(record) != crc) return std::nullopt;
  rest_.remove_prefix(kFrameHeaderBytes + size);
  return record;
}

}  // namespace berth::journal
