#pragma once

// The files of a journal. A segment starts with kMagic; then follow frames: the length of a record
// and its CRC-32C, four bytes each, little-endian, then the record (record_codec.h).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace berth::journal {

// The last byte is the version of the format.
inline constexpr std::string_view kMagic = "BERTHJL\x01";
// A longer record is no record.
inline constexpr uint32_t kMostRecordBytes = 256 << 20;

// "journal-000001".
std::string SegmentName(uint64_t number);

struct SegmentFile {
  uint64_t number = 0;
  std::filesystem::path path;
  uint64_t bytes = 0;
  base::Time modified;
};

// The segments of a directory by number; other files are ignored. Fails if the directory cannot be
// read.
base::Result<std::vector<SegmentFile>> ListSegments(const std::filesystem::path& directory);

// Appends a frame of the record that `encode` appends.
template <class Encode>
void AppendFrame(std::string& out, const Encode& encode);

// The frames of a segment.
class FrameReader {
 public:
  // `bytes` is the whole file.
  explicit FrameReader(std::string_view bytes);

  // The next record; nullopt at the end, or at a frame that is torn or damaged.
  std::optional<std::string_view> Next();
  // Whether all bytes were read. False at the end of a file whose tail is torn or damaged.
  bool is_complete() const { return rest_.empty(); }
  // Whether the rest is a record that is cut off, as a killed process leaves it.
  bool is_torn() const;
  // Of the first byte that was not read.
  uint64_t offset() const { return size_ - rest_.size(); }

 private:
  std::string_view rest_;
  uint64_t size_;
};

// --- Implementation ------------------------------------------------------------------------------

inline constexpr size_t kFrameHeaderBytes = 8;
// Fills in the header of the frame that starts here.
void CloseFrame(std::string& out, size_t start);

template <class Encode>
void AppendFrame(std::string& out, const Encode& encode) {
  const size_t start = out.size();
  out.append(kFrameHeaderBytes, '\0');
  encode(out);
  CloseFrame(out, start);
}

}  // namespace berth::journal
