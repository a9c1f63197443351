# Writes OUTPUT, a source that tells the commit of the project in SOURCE, unless it says so already.
find_package(Git QUIET)
set(commit "")
if(Git_FOUND AND EXISTS "${SOURCE}/.git")
    execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE}" describe --always --dirty --abbrev=12
                            --exclude=*
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
    # `git archive` puts the commit there.
    file(READ "${SOURCE}/cmake/commit.txt" commit)
    string(STRIP "${commit}" commit)
    if(commit MATCHES "Format")
        set(commit unknown)
    endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
// Written by CMake.
#include "solis/cli/main/commit.h"

namespace solis::cli {
const char* commit() { return "@commit@"; }
}  // namespace solis::cli
]])
