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
# Sanitized programs never leave the machine that builds them: where it can, the baseline is AVX2, so
# that the kernels are compiled for the two newest instruction sets instead of all four.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(baseline -march=x86-64-v2)
    if(SOLIS_SANITIZE)
        include(CheckCXXSourceRuns)
        check_cxx_source_runs("int main() { return !(__builtin_cpu_supports(\"avx2\")
            && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\")
            && __builtin_cpu_supports(\"aes\") && __builtin_cpu_supports(\"pclmul\")); }"
            SOLIS_CPU_HAS_AVX2)
        if(SOLIS_CPU_HAS_AVX2)
            set(baseline -march=x86-64-v3 -maes -mpclmul)
        endif()
    endif()
    target_compile_options(solis_flags INTERFACE ${baseline})
endif()
if(SOLIS_SANITIZE)
    target_compile_options(solis_flags INTERFACE -fsanitize=${SOLIS_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(solis_flags INTERFACE -fsanitize=${SOLIS_SANITIZE})
    target_compile_definitions(solis_flags INTERFACE SOLIS_SANITIZED=1)
endif()

# Hardening: addresses that differ in every run, tables of functions that are read-only once the
# program has started, canaries on the stack, checked calls of the C library. The sanitizers check
# more than the last two, and do not work with them. scripts/check-hardening looks at the result.
set(is_module "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>")
set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
# Libraries are position independent in the way that serves programs and shared objects (the Python
# module) alike; nobody replaces our functions at run time, so the compiler may go on inlining them.
target_compile_options(solis_flags INTERFACE "$<$<NOT:${is_module}>:-fPIC;-fno-semantic-interposition>")
target_link_options(solis_flags INTERFACE "$<${is_program}:-pie>" -Wl,-z,relro,-z,now)
if(NOT SOLIS_SANITIZE)
    target_compile_options(solis_flags INTERFACE -fstack-protector-strong
                           "$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()

# For code without hot loops, behind headers that take long to optimise: the compiler's time counts.
add_library(solis_glue INTERFACE)
target_compile_options(solis_glue INTERFACE "$<$<CONFIG:Release>:-O1>")
if(SOLIS_SANITIZE)
    target_compile_options(solis_glue INTERFACE -O0)
endif()

# solis_library(<folder> [<folder it may include> ...]): all sources below solis/<folder>, linked to
# exactly the folders named. scripts/check-layers reads these lines as the rule for #include. Folders
# named main, mpi and torch hold programs and loadable modules, which are targets of their own.
function(solis_library name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/(main|mpi|torch)/[^/]*$")
    add_library(solis_${name} STATIC ${sources})
    target_link_libraries(solis_${name} PUBLIC solis_flags fmt::fmt tl::expected)
    # Fuzzers are led by the coverage of parsers; command lines and kernels have none that helps.
    if(SOLIS_FUZZ AND NOT name STREQUAL cli)
        target_compile_options(solis_${name} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    foreach(dependency IN LISTS ARGN)
        target_link_libraries(solis_${name} PUBLIC solis_${dependency})
    endforeach()
endfunction()
