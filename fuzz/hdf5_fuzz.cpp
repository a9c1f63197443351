// Any bytes in place of an HDF5 file are refused or read to the end.
#include <cstdint>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "solis/data/formats/hdf5_format.h"

namespace data = solis::data;

int hdf5_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const int file = ::memfd_create("fuzz", 0);
    if (file < 0 || ::write(file, bytes, size) != static_cast<ssize_t>(size)) return 0;
    auto rows = data::open_hdf5("/proc/self/fd/" + std::to_string(file));
    if (rows) {
        const auto source = make_row_source("fuzz", std::move(*rows), 1);
        data::LabelledGame game;
        for (;;) {
            const auto more = source->next(game);
            if (!more || !*more) break;
        }
    }
    ::close(file);
    return 0;
}
