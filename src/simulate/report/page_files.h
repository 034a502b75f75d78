#pragma once

#include <string_view>

namespace berth::simulate {

// web/dist/report.js and report.css: what the page of a simulation contains.
std::string_view PageScript();
std::string_view PageStyle();

}  // namespace berth::simulate
