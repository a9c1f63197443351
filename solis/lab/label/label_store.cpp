// Creating and continuing label stores.
#include "solis/lab/label/label_store.h"

#include <fmt/format.h>

namespace solis::lab {
namespace {

std::string describe(const data::Manifest& manifest) {
    std::string text;
    for (const data::DataSource& source : manifest.sources) text += source.name + "; ";
    for (const data::LabellerInfo& labeller : manifest.labellers) {
        text += labeller.engine + " at " + labeller.limit;
    }
    return text;
}

}  // namespace

Result<LabelStore> LabelStore::open(const std::filesystem::path& path, const data::Manifest& origin,
                                    std::chrono::milliseconds save_every) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        auto writer = data::StoreWriter::create(path, origin);
        if (!writer) return tl::unexpected(writer.error());
        return LabelStore(std::move(*writer), false, save_every);
    }
    auto writer = data::StoreWriter::open_for_append(path);
    if (!writer) return tl::unexpected(writer.error());
    const std::string found = describe(writer->manifest());
    const std::string wanted = describe(origin);
    if (found != wanted) {
        return fail(
            fmt::format("'{}' was made by '{}', this run is '{}'", path.string(), found, wanted),
            "repeat the options of the first run to continue it, or choose another --out");
    }
    return LabelStore(std::move(*writer), true, save_every);
}

Result<void> LabelStore::add(const data::LabelledGame& game) {
    if (auto done = writer_.append(game); !done) return done;
    if (Clock::now() - last_save_ < save_every_) return {};
    auto saved = writer_.flush();
    last_save_ = Clock::now();
    return saved;
}

}  // namespace solis::lab
