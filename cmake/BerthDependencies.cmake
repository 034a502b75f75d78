# All third-party libraries. docs/dependencies.md gives the reasons.

find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.81 REQUIRED)  # headers only
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(prometheus REQUIRED IMPORTED_TARGET prometheus-cpp-core)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
# Its -pthread only defines a macro, but would not match the tests' precompiled header.
set_property(TARGET PkgConfig::re2 PROPERTY INTERFACE_COMPILE_OPTIONS)
