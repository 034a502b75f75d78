# A module is a folder in src/, a target and a namespace.
#
#   berth_module(store USES api LIBRARIES Boost::headers)
#
# builds every .cc of the folder but main.cc into the library `berth_store`, and beside it, where
# such files exist, `store_test` (*_test.cc), `store_bench` (*_bench.cc) and one fuzzer for each
# *_fuzz.cc. A module may include headers of the modules in USES and of what those use, and of
# no other: tools/check-includes enforces it before the module is compiled. Tests whose names match
# TESTS_APART depend on real time and run serially. A COLD module holds no hot path: release builds
# compile it with -O1, which takes a third less time.

include(GoogleTest)

# Unity build: compiles the sources of a target in batches, so that each header is read once per
# batch. Names in unnamed namespaces must therefore be unique within a module. Sources with Asio or
# Beast are large enough to be compiled separately.
function(berth_join target)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(STRINGS ${source} heavy REGEX "#include <boost/(asio|beast)" LIMIT_COUNT 1)
    if(heavy)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  if(BERTH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC treats unity sources as headers, where types in unnamed namespaces cause a warning.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BERTH_UNITY} UNITY_BUILD_BATCH_SIZE 20)
endfunction()

# Precompiled headers of tests: GoogleTest for all, and for modules above `workload` also the headers
# that most of their tests include. Tests are compiled once and run once, so compile time counts: -O0.
function(berth_test_headers name)
  add_library(${name} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/test_headers.cc)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC berth_flags GTest::gmock PRIVATE Boost::headers)
  target_compile_options(${name} PUBLIC -O0)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PUBLIC -fpch-preprocess)  # for ccache
  endif()
  target_precompile_headers(${name} PRIVATE <gmock/gmock.h> <gtest/gtest.h> ${ARGN})
endfunction()
berth_test_headers(berth_test_headers)
berth_test_headers(berth_object_test_headers
  <algorithm> <functional> <map> <ranges> <set>
  ${CMAKE_SOURCE_DIR}/src/api/kueue/cluster_queue.h ${CMAKE_SOURCE_DIR}/src/api/kueue/workload.h
  ${CMAKE_SOURCE_DIR}/src/api/meta/manifest.h ${CMAKE_SOURCE_DIR}/src/json/json.h
  ${CMAKE_SOURCE_DIR}/src/workload/state/cluster_state.h)

# Defines BERTH_SOURCE_DIR in the tests that read files of the tree. Others are compiled without the
# path, so that clones share their objects in the compiler cache.
function(berth_source_dir)
  foreach(source ${ARGN})
    file(STRINGS ${source} uses LIMIT_COUNT 1
      REGEX "BERTH_SOURCE_DIR|testing/(shared_data|scenario_pairs)\\.h")
    if(uses)
      set_source_files_properties(${source} PROPERTIES
        COMPILE_DEFINITIONS BERTH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    endif()
  endforeach()
endfunction()

function(berth_module name)
  cmake_parse_arguments(ARG "COLD" "TESTS_APART" "USES;LIBRARIES;TEST_USES;TEST_LIBRARIES" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${name})
  set(lib berth_${name})

  set(allowed ${name})
  foreach(used ${ARG_USES})
    get_property(closure GLOBAL PROPERTY berth_uses_${used})
    list(APPEND allowed ${used} ${closure})
  endforeach()
  list(REMOVE_DUPLICATES allowed)
  set_property(GLOBAL PROPERTY berth_uses_${name} "${allowed}")

  file(GLOB_RECURSE all CONFIGURE_DEPENDS ${dir}/*.cc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${dir}/*.h)
  set(sources ${all})
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cc$|/main\\.cc$")
  foreach(kind test bench fuzz)
    set(${kind}s ${all})
    list(FILTER ${kind}s INCLUDE REGEX "_${kind}\\.cc$")
  endforeach()

  set(stamp ${CMAKE_BINARY_DIR}/includes/${name}.ok)
  list(JOIN allowed "," allowed_csv)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/check-includes ${dir} ${allowed_csv}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${sources} ${headers} ${CMAKE_SOURCE_DIR}/tools/check-includes
    COMMENT "Checking what ${name} includes" VERBATIM)
  add_custom_target(${lib}_includes DEPENDS ${stamp})

  list(TRANSFORM ARG_USES PREPEND berth_ OUTPUT_VARIABLE used_libs)
  if(sources)
    add_library(${lib} STATIC ${sources})
    target_include_directories(${lib} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${lib} PUBLIC ${used_libs}
      PRIVATE berth_flags berth_hardening ${ARG_LIBRARIES})
    add_dependencies(${lib} ${lib}_includes)
    if(ARG_COLD)
      target_compile_options(${lib} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    berth_join(${lib})
  else()
    add_library(${lib} INTERFACE)
    target_include_directories(${lib} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${lib} INTERFACE ${used_libs})
    add_dependencies(${lib} ${lib}_includes)
  endif()

  list(TRANSFORM ARG_TEST_USES PREPEND berth_)
  if(tests)
    add_executable(${name}_test ${tests})
    set(test_headers berth_test_headers)
    if(workload IN_LIST allowed)
      set(test_headers berth_object_test_headers)
    endif()
    target_link_libraries(${name}_test PRIVATE ${lib} ${ARG_TEST_USES} ${ARG_LIBRARIES}
      ${ARG_TEST_LIBRARIES} ${test_headers} GTest::gtest_main)
    berth_source_dir(${tests})
    target_precompile_headers(${name}_test REUSE_FROM ${test_headers})
    set(discover ${name}_test DISCOVERY_MODE PRE_TEST TEST_PREFIX ${name}/)
    if(ARG_TESTS_APART)
      gtest_discover_tests(${discover} TEST_FILTER -${ARG_TESTS_APART})
      gtest_discover_tests(${discover} TEST_FILTER ${ARG_TESTS_APART} PROPERTIES RUN_SERIAL ON)
    else()
      gtest_discover_tests(${discover})
    endif()
  endif()
  if(benchs)
    add_executable(${name}_bench ${benchs})
    target_link_libraries(${name}_bench PRIVATE ${lib} ${ARG_TEST_USES} ${ARG_LIBRARIES}
      ${ARG_TEST_LIBRARIES} berth_flags benchmark::benchmark_main)
    target_compile_definitions(${name}_bench PRIVATE BERTH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    # Benchmarks run with small sizes as part of the tests, so that they cannot rot; `make bench`
    # runs them in full.
    add_test(NAME ${name}/bench COMMAND ${name}_bench --benchmark_min_time=0.001)
    set_tests_properties(${name}/bench PROPERTIES ENVIRONMENT BERTH_BENCH_TINY=1)
  endif()
  if(BERTH_FUZZ)
    foreach(file ${fuzzs})
      get_filename_component(target ${file} NAME_WE)
      add_executable(${target} ${file})
      target_link_libraries(${target} PRIVATE ${lib} ${ARG_TEST_USES} ${ARG_LIBRARIES} berth_flags)
      target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
endfunction()
