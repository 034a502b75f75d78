#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/output.h"

namespace berth::cli {

// Incremental file writer. Reports a failure once, with the file's name.
class FileWriter {
 public:
  FileWriter() = default;
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  bool Open(const std::string& path, Output& err);
  bool is_open() const { return file_ != nullptr; }
  void Write(std::string_view text);
  // True if it was never opened, or everything was written.
  bool Close(Output& err);

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

// Writes a whole file.
bool WriteTextFile(const std::string& path, std::string_view text, Output& err);

}  // namespace berth::cli
