# Makes page_files.cpp from the built page: each file compressed, read into the program by the
# assembler. Run by every build, as `cmake -DDIST=web/dist -DOUT=folder -P EmbedPage.cmake`, because
# the page is built by another program; writes nothing where nothing has changed. Without a page it
# makes a program without one.

cmake_minimum_required(VERSION 3.25)
set(rows "")
set(count 0)
set(blocks "")
if(EXISTS "${DIST}/index.html")
    file(GLOB_RECURSE names RELATIVE "${DIST}" "${DIST}/*")
    list(SORT names)
    foreach(name IN LISTS names)
        if(name MATCHES "\\.html$")
            set(type "text/html; charset=utf-8")
        elseif(name MATCHES "\\.js$")
            set(type "text/javascript; charset=utf-8")
        elseif(name MATCHES "\\.css$")
            set(type "text/css; charset=utf-8")
        elseif(name MATCHES "\\.svg$")
            set(type "image/svg+xml")
        elseif(name MATCHES "\\.png$")
            set(type "image/png")
        elseif(name MATCHES "\\.(json|webmanifest)$")
            set(type "application/json")
        elseif(name MATCHES "\\.txt$")
            set(type "text/plain; charset=utf-8")
        elseif(name MATCHES "\\.woff2$")
            set(type "font/woff2")
        elseif(name MATCHES "\\.(mp3|ogg|wav)$")
            set(type "audio/mpeg")
        else()
            continue()
        endif()
        file(SHA256 "${DIST}/${name}" hash)
        string(SUBSTRING "${hash}" 0 16 tag)
        set(packed "${OUT}/${tag}.gz")
        if(NOT EXISTS "${packed}")
            # -n leaves the time out, so that the same page is the same program.
            execute_process(COMMAND gzip -9 -n -c "${DIST}/${name}" OUTPUT_FILE "${packed}.new"
                            COMMAND_ERROR_IS_FATAL ANY)
            file(RENAME "${packed}.new" "${packed}")
        endif()
        string(APPEND blocks "    \".global solis_page_${count}\\n.global solis_page_${count}_end\\n\"\n"
               "    \"solis_page_${count}: .incbin \\\"${packed}\\\"\\nsolis_page_${count}_end: .byte 0\\n\"\n")
        string(APPEND declarations "extern \"C\" const char solis_page_${count};\n"
               "extern \"C\" const char solis_page_${count}_end;\n")
        string(APPEND rows "    {\"/${name}\", \"${type}\", between(&solis_page_${count}, &solis_page_${count}_end), \"${tag}\"},\n")
        math(EXPR count "${count} + 1")
    endforeach()
endif()

set(source "// Made by cmake/EmbedPage.cmake from the built page.\n#include \"solis/studio/page.h\"\n")
if(count GREATER 0)
    string(APPEND source "\nasm(\".section .rodata\\n\"\n${blocks}    \".previous\\n\");\n\n${declarations}"
        "\nnamespace solis::studio {\nnamespace {\n"
        "std::string_view between(const char* begin, const char* end) {\n"
        "    return {begin, static_cast<std::size_t>(end - begin)};\n}\n}  // namespace\n"
        "std::span<const PageFile> page_files() {\n    static const PageFile files[] = {\n${rows}    };\n"
        "    return files;\n}\n}  // namespace solis::studio\n")
else()
    string(APPEND source "\nnamespace solis::studio {\n"
        "std::span<const PageFile> page_files() { return {}; }\n}  // namespace solis::studio\n")
endif()
file(WRITE "${OUT}/page_files.new" "${source}")
file(COPY_FILE "${OUT}/page_files.new" "${OUT}/page_files.cpp" ONLY_IF_DIFFERENT)
