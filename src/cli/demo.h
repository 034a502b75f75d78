#pragma once

#include <span>
#include <string_view>

namespace berth::cli {

// The files of examples/demo and its folder of nodes, embedded in the program.
struct DemoFile {
  std::string_view name;
  std::string_view text;
};
std::span<const DemoFile> DemoFiles();

}  // namespace berth::cli
