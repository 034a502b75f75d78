# A module is a folder in src/, a target and a namespace.
#
#   berth_module(engine USES base quantity LIBRARIES fmt::fmt)
#
# builds every .cc of the folder but main.cc into the library `berth_engine`, and beside it, where
# such files exist, `engine_test` (*_test.cc), `engine_bench` (*_bench.cc) and one fuzzer for each
# *_fuzz.cc. A module may include headers of the modules in USES and of what those use, and of
# no other: tools/check-includes says so before anything of the module is compiled. Tests whose names
# match TESTS_APART run while no other does, because they count seconds.

include(GoogleTest)

# Compiles the sources of a target in batches, each as one file: every header is read once a batch.
# So names in unnamed namespaces are unique within a module. What includes Asio or Beast is a batch
# of its own, and large enough.
function(berth_join target)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(STRINGS ${source} heavy REGEX "#include <boost/(asio|beast)" LIMIT_COUNT 1)
    if(heavy)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  if(BERTH_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC takes what is joined for headers, where types in unnamed namespaces are a mistake.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BERTH_UNITY} UNITY_BUILD_BATCH_SIZE 10)
endfunction()

# Every test includes GoogleTest, which takes longer to read than most tests: it is read once, for all
# of them. Tests are compiled once and run once, so what counts is how long compiling takes.
add_library(berth_test_headers OBJECT ${CMAKE_CURRENT_LIST_DIR}/test_headers.cc)
target_link_libraries(berth_test_headers PUBLIC berth_flags GTest::gmock)
target_compile_options(berth_test_headers PUBLIC -O0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(berth_test_headers PUBLIC -fpch-preprocess)  # for ccache
endif()
target_precompile_headers(berth_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>)

function(berth_module name)
  cmake_parse_arguments(ARG "" "TESTS_APART" "USES;LIBRARIES;TEST_USES;TEST_LIBRARIES" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${name})
  set(lib berth_${name})

  set(allowed ${name})
  foreach(used ${ARG_USES})
    get_property(closure GLOBAL PROPERTY berth_uses_${used})
    list(APPEND allowed ${used} ${closure})
  endforeach()
  list(REMOVE_DUPLICATES allowed)
  set_property(GLOBAL PROPERTY berth_uses_${name} "${allowed}")

  file(GLOB all CONFIGURE_DEPENDS ${dir}/*.cc ${dir}/*/*.cc)
  file(GLOB headers CONFIGURE_DEPENDS ${dir}/*.h ${dir}/*/*.h)
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
    target_link_libraries(${lib} PUBLIC ${used_libs} PRIVATE berth_flags ${ARG_LIBRARIES})
    add_dependencies(${lib} ${lib}_includes)
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
    target_link_libraries(${name}_test PRIVATE ${lib} ${ARG_TEST_USES} ${ARG_LIBRARIES}
      ${ARG_TEST_LIBRARIES} berth_test_headers GTest::gtest_main)
    target_compile_definitions(${name}_test PRIVATE BERTH_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    target_precompile_headers(${name}_test REUSE_FROM berth_test_headers)
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
    # Benchmarks run tiny with the tests, so that they cannot rot; `make bench` runs them in full.
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
