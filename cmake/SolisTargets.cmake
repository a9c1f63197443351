# Flags shared by every target, and the function that declares one library per folder of solis/.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)

add_library(solis_flags INTERFACE)
# clang counts sign conversions into -Wconversion, gcc does not; both shall ask for the same.
target_compile_options(solis_flags INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
                       -Wshadow -Werror)
target_include_directories(solis_flags INTERFACE "${CMAKE_SOURCE_DIR}")
# One binary for every x86-64 since 2009. Newer instructions (PEXT, AVX2 ...) are chosen at run time.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(solis_flags INTERFACE -march=x86-64-v2)
endif()
if(SOLIS_SANITIZE)
    target_compile_options(solis_flags INTERFACE -fsanitize=${SOLIS_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(solis_flags INTERFACE -fsanitize=${SOLIS_SANITIZE})
    target_compile_definitions(solis_flags INTERFACE SOLIS_SANITIZED=1)
endif()
if(SOLIS_FUZZ)
    target_compile_options(solis_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# solis_library(<folder> [<folder it may include> ...]): all sources below solis/<folder>, linked to
# exactly the folders named. scripts/check-layers reads these lines as the rule for #include. Folders
# named main, mpi and torch hold programs and loadable modules, which are targets of their own.
function(solis_library name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/(main|mpi|torch)/[^/]*$")
    add_library(solis_${name} STATIC ${sources})
    target_link_libraries(solis_${name} PUBLIC solis_flags fmt::fmt tl::expected)
    foreach(dependency IN LISTS ARGN)
        target_link_libraries(solis_${name} PUBLIC solis_${dependency})
    endforeach()
endfunction()
