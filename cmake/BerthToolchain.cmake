# Compiler flags, sanitizers, ccache and the fastest available linker.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(berth_flags INTERFACE)
# Designated initialisers may omit members with defaults.
target_compile_options(berth_flags INTERFACE
  -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-qual -Wimplicit-fallthrough -Wvla -Werror
  -fno-omit-frame-pointer -fstack-protector-strong)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of GCC 12 in libstdc++ and optional<string>.
  target_compile_options(berth_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict
    -Wno-stringop-overflow -Wno-array-bounds)
else()
  # libstdc++ 12's std::stable_sort uses a function that libstdc++ itself deprecates.
  target_compile_options(berth_flags INTERFACE -Wno-deprecated-declarations)
endif()

# What users run is hardened: addresses are random, the tables of the linker are read-only once the
# program has started, and the C library checks the sizes of buffers. tools/check-hardening tests it.
# Tests are compiled without optimization, so the checks of buffers are for the libraries only.
add_library(berth_hardening INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT BERTH_SANITIZE AND NOT BERTH_FUZZ)
  target_compile_options(berth_hardening INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fPIE -fstack-clash-protection)
  target_link_options(berth_hardening INTERFACE
    -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

if(BERTH_SANITIZE)
  add_compile_options(-fsanitize=${BERTH_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BERTH_SANITIZE})
  if(BERTH_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The sanitizer does not support fences, which Asio uses in addition to mutexes.
    add_compile_options(-Wno-tsan)
  endif()
endif()
if(BERTH_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Required by ccache to cache objects built with a precompiled header. Its check of modification
  # times stays on: a header that is edited during a build would otherwise be cached under a wrong key.
  # Paths below the base directory are hashed relative to it, so that clones share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

find_program(MOLD NAMES mold)
find_program(LLD NAMES ld.lld ld.lld-19)
if(MOLD)
  add_link_options(-fuse-ld=mold)
elseif(LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=${LLD})
endif()
