# The libraries of others. Debian packages of all of them are listed in scripts/setup.
#
# SOLIS_STATIC takes archives. Debian has none of fmt, Highway, simdjson and Fathom: scripts/static-libraries
# makes them from its source packages, for the headers that are installed. What modules link is shared:
# they exist because it could not be linked into one file.

find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json REQUIRED)

set(solis_library_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(SOLIS_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
    list(PREPEND CMAKE_LIBRARY_PATH "${PROJECT_SOURCE_DIR}/build/static/lib")
endif()
find_package(ZLIB REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(simdjson REQUIRED IMPORTED_TARGET simdjson)
find_library(SOLIS_FATHOM_LIBRARY fathom REQUIRED)
find_package(fmt REQUIRED)
if(SOLIS_STATIC)
    find_library(SOLIS_FMT_LIBRARY fmt REQUIRED)
    foreach(property IN ITEMS IMPORTED_LOCATION IMPORTED_LOCATION_NONE IMPORTED_LOCATION_RELEASE)
        set_target_properties(fmt::fmt PROPERTIES ${property} "${SOLIS_FMT_LIBRARY}")
    endforeach()
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES ${solis_library_suffixes})
