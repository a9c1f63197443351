// Any files in a folder of Syzygy tables: what is no table is refused before Fathom, which reads
// tables without looking where they end, gets to see it. The first byte chooses the file's name.
// Tables that pass are not probed: their content is trusted (chess/tablebase.h).
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "solis/chess/tablebase.h"

namespace {

constexpr std::array<const char*, 6> kNames{"KQvK.rtbw", "KQvK.rtbz", "KRPvKR.rtbw",
                                            "KvK.rtbw",  "x.rtbw",    "KQvK.txt"};

std::filesystem::path make_folder() {
    std::string name = std::filesystem::exists("/dev/shm") ? "/dev/shm/solis-fuzz-XXXXXX"
                                                           : "/tmp/solis-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return name;
}

// A folder that is gone when the fuzzer ends.
struct Folder {
    std::filesystem::path path = make_folder();
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

}  // namespace

int tablebase_fuzz(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const Folder folder;
    const std::string name = kNames[data[0] % kNames.size()];
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::filesystem::path file = folder.path / name;
    std::ofstream(file, std::ios::binary) << bytes;
    {
        const auto tables = solis::chess::Tablebase::open(folder.path.string());
        const bool may_pass =
            bytes.size() >= 80 && bytes.size() % 64 == 16 && !name.ends_with(".txt");
        if (tables && !may_pass) std::abort();
    }
    std::filesystem::remove(file);
    return 0;
}
