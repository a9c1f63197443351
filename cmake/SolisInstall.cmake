# What `cmake --install` copies, in two components: the library for programs of others, and the command.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/solis")
install(TARGETS solis_package EXPORT solis COMPONENT library
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library)
install(EXPORT solis NAMESPACE solis:: FILE solisTargets.cmake DESTINATION "${package_folder}"
        COMPONENT library)
foreach(header IN LISTS SOLIS_PUBLIC_HEADERS)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "${PROJECT_SOURCE_DIR}/${header}"
            DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}" COMPONENT library)
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/solisConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/package/solisConfig.cmake" INSTALL_DESTINATION "${package_folder}")
# Until 1.0 a new minor version may change what is public.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/solisConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/solisConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/solisConfigVersion.cmake"
        DESTINATION "${package_folder}" COMPONENT library)
# Paths relative to the file itself, so that the folder may be moved.
file(RELATIVE_PATH PC_PREFIX "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
set(PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/solis.pc.in" "${PROJECT_BINARY_DIR}/package/solis.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/solis.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT library)

# Modules serve the command and programs that link the library. They lie where base/module.h looks.
get_property(modules GLOBAL PROPERTY SOLIS_MODULES)
install(TARGETS ${modules} LIBRARY DESTINATION lib/solis COMPONENT command)
if(SOLIS_COMMAND)
    install(TARGETS solis RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT command)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
                  "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CITATION.cff"
                  "${PROJECT_SOURCE_DIR}/THIRD_PARTY.md"
            DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
            COMPONENT command PATTERN pictures EXCLUDE PATTERN Doxyfile.in EXCLUDE)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/" DESTINATION "${CMAKE_INSTALL_DATADIR}/solis/models"
            COMPONENT command)
    # Where Debian looks for it.
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright
            COMPONENT command)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright COMPONENT library
            DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libsolis-dev")
    # Manual pages and completion are what the command itself says about its commands.
    set(manual "${PROJECT_BINARY_DIR}/manual")
    install(CODE "
        file(REMOVE_RECURSE \"${manual}\")
        execute_process(COMMAND \"$<TARGET_FILE:solis>\" -q manual \"${manual}/man\"
                        COMMAND_ERROR_IS_FATAL ANY)
        foreach(shell IN ITEMS bash zsh)
            execute_process(COMMAND \"$<TARGET_FILE:solis>\" completion \${shell}
                            OUTPUT_FILE \"${manual}/\${shell}\" COMMAND_ERROR_IS_FATAL ANY)
        endforeach()" COMPONENT command)
    install(DIRECTORY "${manual}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT command)
    install(FILES "${manual}/bash" RENAME solis COMPONENT command
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${manual}/zsh" RENAME _solis COMPONENT command
            DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
endif()

# A release carries the licences of what is inside it.
if(SOLIS_STATIC)
    foreach(package IN ITEMS libfmt-dev libzstd-dev zlib1g-dev libxxhash-dev libhwy-dev libsimdjson-dev
            libfathom-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libexpected-dev
            libhnswlib-dev libstdc++-12-dev)
        set(copyright "/usr/share/doc/${package}/copyright")
        if(EXISTS "${copyright}")
            file(REAL_PATH "${copyright}" copyright)
            install(FILES "${copyright}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/licences"
                    RENAME "${package}" COMPONENT command)
        endif()
    endforeach()
    foreach(package IN ITEMS preact @preact/signals chess.js uplot)
        string(REPLACE "/" "-" name "${package}")
        install(FILES "${PROJECT_SOURCE_DIR}/web/node_modules/${package}/LICENSE" OPTIONAL
                DESTINATION "${CMAKE_INSTALL_DOCDIR}/licences" RENAME "${name}" COMPONENT command)
    endforeach()
endif()

# cpack: a tarball with everything, and two Debian packages.
set(CPACK_PACKAGE_NAME solis)
set(CPACK_PACKAGE_CONTACT "The SOLIS authors <solis@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_FILE_NAME
    "solis-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
string(TOLOWER "${CPACK_PACKAGE_FILE_NAME}" CPACK_PACKAGE_FILE_NAME)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_COMPONENTS_ALL command library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME solis)
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "libc6 (>= 2.31)")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "libcairo2, libhdf5-103-1")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "stockfish, openmpi-bin")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "The solis command: a chess engine, and the tools to train, measure
and map the encoders it plans with.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsolis-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libfmt-dev, libexpected-dev, libzstd-dev, libxxhash-dev, \
libhwy-dev, libsimdjson-dev, zlib1g-dev, libfathom-dev")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Headers and archive of the library solis for programs in C++20.")
include(CPack)
