#include "journal/reader.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "store/read_file.h"

namespace berth::journal {
Reader::Reader(std::vector<SegmentFile> segments) : segments_(std::move(segments)) {
  for (const SegmentFile& segment : segments_) bytes_ += segment.bytes;
}

base::Result<Reader> Reader::Open(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    const uint64_t bytes = std::filesystem::file_size(path, error);
    return Reader({{.number = 0, .path = path, .bytes = bytes, .modified = {}}});
  }
  auto segments = ListSegments(path);
  if (!segments) return std::unexpected(segments.error());
  if (segments->empty())
    return base::Fail("no journal in " + path.string(),
                      "name the directory with the files journal-000001 and so on");
  return Reader(*std::move(segments));
}

base::Result<Reader> Reader::OpenLatest(const std::filesystem::path& directory,
                                        uint64_t most_bytes) {
  auto all = Open(directory);
  if (!all) return all;
  auto first = all->segments_.end() - 1;
  uint64_t bytes = first->bytes;
  while (first != all->segments_.begin() && bytes + (first - 1)->bytes <= most_bytes)
    bytes += (--first)->bytes;
  return Reader({first, all->segments_.end()});
}

base::Result<Reader> Reader::OpenAt(const std::filesystem::path& directory, base::Time at) {
  auto all = Open(directory);
  if (!all) return all;
  const auto open = std::ranges::find_if(
      all->segments_, [&](const SegmentFile& segment) { return segment.modified >= at; });
  const auto first = open == all->segments_.begin() ? open : open - 1;
  return Reader({first, open == all->segments_.end() ? open : open + 1});
}

bool Reader::OpenNext() {
  if (next_ == segments_.size()) return false;
  const std::filesystem::path& path = segments_[next_++].path;
  auto text = store::ReadFile(path);
  if (!text) damages_.push_back(text.error().message + "; it is skipped");
  text_ = std::move(text).value_or("");
  frames_.emplace(text_);
  decoder_.Clear();
  return true;
}

// A frame that goes on behind the end of the file is torn; any other rest is damage.
void Reader::CloseSegment() {
  if (frames_->is_complete()) return void(frames_.reset());
  const std::string where = segments_[next_ - 1].path.filename().string();
  if (frames_->is_torn()) {
    ++torn_ends_;
  } else {
    damages_.push_back(where + ": damaged at byte " + std::to_string(frames_->offset()) +
                       "; the rest of it is skipped");
  }
  frames_.reset();
}

std::optional<Record> Reader::Next() {
  while (frames_ || OpenNext()) {
    if (const auto bytes = frames_->Next()) {
      if (auto record = decoder_.Decode(*bytes)) return record;
      damages_.push_back(segments_[next_ - 1].path.filename().string() +
                         ": no record before byte " + std::to_string(frames_->offset()) +
                         "; the rest of it is skipped");
      frames_.reset();
      continue;
    }
    CloseSegment();
  }
  return std::nullopt;
}

}  // namespace berth::journal
