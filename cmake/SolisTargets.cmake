# Flags shared by every target of this build, and the functions that declare them. None of the flags
# reaches programs that use the installed package, or this project as a part of theirs.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND PROJECT_IS_TOP_LEVEL)
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

# Every target of ours links it, as PRIVATE.
add_library(solis_flags INTERFACE)
# clang counts sign conversions into -Wconversion, gcc does not; both shall ask for the same.
target_compile_options(solis_flags INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
                       -Wshadow -Werror)
target_include_directories(solis_flags INTERFACE "${PROJECT_SOURCE_DIR}")
# One binary for every x86-64 since 2009. Newer instructions (PEXT, AVX2 ...) are chosen at run time.
# Sanitized programs never leave the machine that builds them: their baseline is what this machine has,
# AVX-512 or AVX2, so that the kernels are compiled for one or two instruction sets instead of all four.
# The widest vectors reach farthest beyond the end of an array; release tests every instruction set.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(baseline -march=x86-64-v2)
    if(SOLIS_SANITIZE)
        include(CheckCXXSourceRuns)
        check_cxx_source_runs("int main() { return !(__builtin_cpu_supports(\"avx2\")
            && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\")
            && __builtin_cpu_supports(\"aes\") && __builtin_cpu_supports(\"pclmul\")); }"
            SOLIS_CPU_HAS_AVX2)
        check_cxx_source_runs("int main() { return !(__builtin_cpu_supports(\"avx512f\")
            && __builtin_cpu_supports(\"avx512bw\") && __builtin_cpu_supports(\"avx512cd\")
            && __builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512vl\")); }"
            SOLIS_CPU_HAS_AVX512)
        # gcc 12 warns about its own AVX-512 types as arguments of templates.
        if(SOLIS_CPU_HAS_AVX2 AND SOLIS_CPU_HAS_AVX512 AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
            set(baseline -march=x86-64-v4 -maes -mpclmul)
        elseif(SOLIS_CPU_HAS_AVX2)
            set(baseline -march=x86-64-v3 -maes -mpclmul)
        endif()
    endif()
    target_compile_options(solis_flags INTERFACE ${baseline})
endif()
# Every arm64 has NEON. Highway wants the AES instructions with it, which the compiler emits only when told
# to, so that machines without them (Raspberry Pi 4) run it, too. Vectors whose length is known only at run
# time (SVE) cannot be members of a class, and kernels have such classes.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(solis_flags INTERFACE -march=armv8-a+crypto)
    target_compile_definitions(solis_flags INTERFACE
        "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endif()
if(SOLIS_SANITIZE)
    target_compile_options(solis_flags INTERFACE -fsanitize=${SOLIS_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(solis_flags INTERFACE -fsanitize=${SOLIS_SANITIZE})
    target_compile_definitions(solis_flags INTERFACE SOLIS_SANITIZED=1)
    # Where both are on, ASan finds what these two checks of UBSan look for, when it happens: accesses
    # through null and beyond the end of an object. They are a sixth of the compiler's work.
    if(SOLIS_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
        target_compile_options(solis_flags INTERFACE -fno-sanitize=null,object-size)
    endif()
endif()

# Hardening: addresses that differ in every run, tables of functions that are read-only once the
# program has started, canaries on the stack, checked calls of the C library. The sanitizers check
# more than the last two, and do not work with them. scripts/check-hardening looks at the result.
# Libraries are position independent in the way that serves programs and shared objects (the Python
# module) alike; nobody replaces our functions at run time, so the compiler may go on inlining them.
set(is_module "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>")
set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
target_compile_options(solis_flags INTERFACE "$<$<NOT:${is_module}>:-fPIC;-fno-semantic-interposition>")
target_link_options(solis_flags INTERFACE "$<${is_program}:-pie>" -Wl,-z,relro,-z,now)
if(NOT SOLIS_SANITIZE)
    target_compile_options(solis_flags INTERFACE -fstack-protector-strong
                           "$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()
# One file that runs on its own: what is left is the C library.
if(SOLIS_STATIC)
    target_link_options(solis_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()
# Linked against an older C library (scripts/old-libc), programs run with that and every newer one.
# What the static libraries expect of a newer one is in old_libc.c.
set(solis_old_libc_source)
if(SOLIS_OLD_LIBC)
    set(folder "${SOLIS_OLD_LIBC}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
    target_link_options(solis_flags INTERFACE "--sysroot=${SOLIS_OLD_LIBC}" "-B${folder}"
        "-L${folder}" "-L${SOLIS_OLD_LIBC}/lib/${CMAKE_LIBRARY_ARCHITECTURE}" -pthread)
    # Parts of the C library today, libraries of their own then.
    target_link_libraries(solis_flags INTERFACE dl)
    set(solis_old_libc_source "${PROJECT_SOURCE_DIR}/cmake/old_libc.c")
endif()

# What a cold build costs is decided here: how far code is optimised. (Precompiled headers were tried: in unity
# builds they take as long to make as they save.)
#
# For code without hot loops, behind headers that take long to optimise: the compiler's time counts. Not so
# in a build of fuzz targets alone, which run for hours.
add_library(solis_glue INTERFACE)
target_compile_options(solis_glue INTERFACE "$<$<CONFIG:Release>:-O1>")
# Where nothing is hot, elements of vectors and strings can be checked in what users get, too.
target_compile_definitions(solis_glue INTERFACE "$<$<CONFIG:Release>:_GLIBCXX_ASSERTIONS>")
# For libraries whose loops are long only at the sizes that Release tests.
add_library(solis_glue_if_sanitized INTERFACE)
if(SOLIS_SANITIZE AND SOLIS_TESTS)
    # Unoptimised, the checks of alignment are a sixth of the code, and bytes of files are read elsewhere.
    target_compile_options(solis_glue INTERFACE -O0 $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=alignment>)
    target_compile_options(solis_glue_if_sanitized INTERFACE -O0)
endif()
# Dialogues, the page's server and the command: what takes time is behind the libraries that they call.
set(glue_folders engine studio cli)
set(glue_if_sanitized_folders data analysis train lab)

# gcc collects its own garbage whenever it has doubled since 128 MB, a tenth of its time for a unity. It may
# have 1 GB first; the code that it makes is the same. Not in `debug`, whose flags clang-tidy reads.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(solis_flags INTERFACE "SHELL:--param ggc-min-heapsize=1048576")
endif()

# solis_library(<folder> [<folder it may include> ...]): all sources below solis/<folder>, linked to
# exactly the folders named. scripts/check-layers reads these lines as the rule for #include. Folders
# named main, mpi, torch, hdf5 and cairo hold programs and loadable modules: targets of their own.
function(solis_library name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    list(FILTER sources EXCLUDE REGEX "/(main|mpi|torch|hdf5|cairo)/[^/]*$")
    add_library(solis_${name} STATIC ${sources})
    set(flags solis_flags)
    if(name IN_LIST glue_folders)
        set(flags solis_glue)
    elseif(SOLIS_SANITIZE AND name IN_LIST glue_if_sanitized_folders)
        set(flags solis_glue_if_sanitized)
    endif()
    target_link_libraries(solis_${name} PUBLIC fmt::fmt tl::expected PRIVATE solis_flags ${flags})
    # Fuzzers are led by the coverage of parsers; command lines and kernels have none that helps.
    if(SOLIS_FUZZ AND SOLIS_FUZZ_COVERAGE AND NOT name STREQUAL cli)
        target_compile_options(solis_${name} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    foreach(dependency IN LISTS ARGN)
        target_link_libraries(solis_${name} PUBLIC solis_${dependency})
    endforeach()
endfunction()

# solis_module(<name> <library> ...): the sources in folder <name>, as a module that base/module.h
# loads on demand: solis-<name>.so in the folder where programs of this build look for it.
function(solis_module name)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
    add_library(solis_${name} MODULE ${sources} ${solis_old_libc_source})
    target_link_libraries(solis_${name} PRIVATE solis_flags fmt::fmt tl::expected ${ARGN})
    set_target_properties(solis_${name} PROPERTIES PREFIX "" OUTPUT_NAME solis-${name}
                          LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/solis")
    set_property(GLOBAL APPEND PROPERTY SOLIS_MODULES solis_${name})
endfunction()
