# The library as one archive with one target, solis::solis: for programs that find it installed, and for
# projects that contain this one.

# Everything below `train`: what is needed to use a model, not to make one.
set(package_folders base chess nn atlas data model planner analysis)
set(package_objects)
foreach(folder IN LISTS package_folders)
    list(APPEND package_objects $<TARGET_OBJECTS:solis_${folder}>)
endforeach()
add_library(solis_package STATIC ${package_objects})
add_library(solis::solis ALIAS solis_package)
set_target_properties(solis_package PROPERTIES OUTPUT_NAME solis EXPORT_NAME solis
                      LINKER_LANGUAGE CXX)
if(SOLIS_SANITIZE)
    set_target_properties(solis_package PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
target_compile_features(solis_package INTERFACE cxx_std_20)
target_include_directories(solis_package INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                           "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
# Only tl::expected shows in headers; the others are linked.
target_link_libraries(solis_package INTERFACE tl::expected $<LINK_ONLY:fmt::fmt>
    $<LINK_ONLY:Threads::Threads> $<LINK_ONLY:PkgConfig::zstd> $<LINK_ONLY:PkgConfig::xxhash>
    $<LINK_ONLY:PkgConfig::hwy> $<LINK_ONLY:PkgConfig::simdjson> $<LINK_ONLY:ZLIB::ZLIB>
    $<BUILD_INTERFACE:${SOLIS_FATHOM_LIBRARY}> $<INSTALL_INTERFACE:fathom> ${CMAKE_DL_LIBS})

# What solis/solis.h includes, and what that includes, and so on: exactly these are installed.
set(public_headers)
set(waiting solis/solis.h)
while(waiting)
    list(POP_FRONT waiting header)
    if(header IN_LIST public_headers)
        continue()
    endif()
    list(APPEND public_headers "${header}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
    file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" lines REGEX "^#include \"solis/")
    list(TRANSFORM lines REPLACE "^#include \"([^\"]*)\".*$" "\\1")
    list(APPEND waiting ${lines})
endwhile()
set(SOLIS_PUBLIC_HEADERS ${public_headers})

# The reference of exactly these headers.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND AND PROJECT_IS_TOP_LEVEL)
    list(TRANSFORM public_headers PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE DOXYGEN_INPUT)
    list(APPEND DOXYGEN_INPUT "${PROJECT_SOURCE_DIR}/docs/library.md")
    list(JOIN DOXYGEN_INPUT " " DOXYGEN_INPUT)
    configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
    add_custom_target(docs COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/Doxyfile" VERBATIM)
endif()

if(SOLIS_INSTALL)
    include(SolisInstall)
endif()
