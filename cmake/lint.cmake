# SPDX-License-Identifier: Apache-2.0
# Targets for whoever changes the code:
#   check    fails on a file that is not formatted, then runs every quick test
#   format   formats every file
#   tidy     clang-tidy on every file of src/
# They take clang-format and clang-tidy 18.1.8 as `tests/setup --with lint` leaves them, or from PATH.
if(DEFINED ENV{XDG_CACHE_HOME})
    set(lint_folder $ENV{XDG_CACHE_HOME}/wheelforge-tests/lint-18.1.8/bin)
else()
    set(lint_folder $ENV{HOME}/.cache/wheelforge-tests/lint-18.1.8/bin)
endif()
find_program(CLANG_FORMAT clang-format HINTS ${lint_folder})
find_program(CLANG_TIDY clang-tidy HINTS ${lint_folder})

add_custom_target(format
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=${CLANG_FORMAT} -DROOT=${PROJECT_SOURCE_DIR} -DMODE=format
            -P ${CMAKE_CURRENT_LIST_DIR}/run_lint.cmake VERBATIM)
add_custom_target(check_format
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=${CLANG_FORMAT} -DROOT=${PROJECT_SOURCE_DIR} -DMODE=check
            -P ${CMAKE_CURRENT_LIST_DIR}/run_lint.cmake VERBATIM)
add_custom_target(tidy
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=${CLANG_TIDY} -DROOT=${PROJECT_SOURCE_DIR} -DMODE=tidy
            -DBUILD=${PROJECT_BINARY_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/run_lint.cmake VERBATIM)
add_custom_target(check
    COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure --label-exclude full
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR} USES_TERMINAL VERBATIM)
add_dependencies(check check_format)
