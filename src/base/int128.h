#pragma once

namespace berth::base {

// A non-standard extension of both supported compilers.
__extension__ typedef __int128 Int128;

}  // namespace berth::base
