#pragma once

// Reads a journal. Its segments may still be written, torn or damaged: what follows a damaged
// record in a segment is skipped, and said.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "journal/record.h"
#include "journal/record_codec.h"
#include "journal/segment.h"

namespace berth::journal {

class Reader {
 public:
  // `path` is the directory of a journal, or one segment of it.
  static base::Result<Reader> Open(const std::filesystem::path& path);
  // The last segments of a directory with at most so many bytes in all; one at least.
  static base::Result<Reader> OpenLatest(const std::filesystem::path& directory,
                                         uint64_t most_bytes);
  // The segments of a directory that tell the state at a moment: what was written last before it,
  // and what was being written then.
  static base::Result<Reader> OpenAt(const std::filesystem::path& directory, base::Time at);

  // The next record; nullopt at the end. The first record of every segment is a Header. Objects are
  // complete: no part is empty because it is unchanged.
  std::optional<Record> Next();

  // As of the last record.
  const KnownObjects& objects() const { return decoder_.objects(); }

  // What was skipped, a sentence each. A torn end, of a process that was killed, is not damage.
  const std::vector<std::string>& damages() const { return damages_; }
  // The segments so far that end in the middle of a record.
  size_t torn_ends() const { return torn_ends_; }
  uint64_t bytes() const { return bytes_; }  // of all segments

 private:
  explicit Reader(std::vector<SegmentFile> segments);
  bool OpenNext();
  void CloseSegment();

  std::vector<SegmentFile> segments_;
  size_t next_ = 0;
  std::string text_;
  std::optional<FrameReader> frames_;
  RecordDecoder decoder_;
  std::vector<std::string> damages_;
  size_t torn_ends_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace berth::journal
