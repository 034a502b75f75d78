#include "cli/write_file.h"

#include <cerrno>
#include <cstring>

#include "cli/printable.h"

namespace berth::cli {
namespace {

bool ReportCannotWrite(const std::string& path, int error, Output& err) {
  err << "berth: " << Printable(path) << " cannot be written: " << std::strerror(error) << "\n";
  return false;
}

}  // namespace

FileWriter::~FileWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

bool FileWriter::Open(const std::string& path, Output& err) {
  path_ = path;
  file_ = std::fopen(path.c_str(), "wbe");
  return file_ != nullptr || ReportCannotWrite(path, errno, err);
}

void FileWriter::Write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), file_); }

bool FileWriter::Close(Output& err) {
  if (file_ == nullptr) return true;
  const bool has_failed = std::ferror(file_) != 0;
  const bool is_closed = std::fclose(file_) == 0;
  file_ = nullptr;
  return (!has_failed && is_closed) || ReportCannotWrite(path_, has_failed ? EIO : errno, err);
}

bool WriteTextFile(const std::string& path, std::string_view text, Output& err) {
  FileWriter writer;
  if (!writer.Open(path, err)) return false;
  writer.Write(text);
  return writer.Close(err);
}

}  // namespace berth::cli
