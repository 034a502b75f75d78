#pragma once

namespace berth::base {

// Both compilers have it, neither calls it standard.
__extension__ typedef __int128 Int128;

}  // namespace berth::base
