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
                                    std::chrono::milliseconds save_every,
                                    data::OnDamage on_damage) {
    data::StoreOptions options;
    options.on_damage = on_damage;
    auto writer = data::StoreWriter::open_or_create(path, origin, options);
    if (!writer) return tl::unexpected(writer.error());
    const std::string found = describe(writer->manifest());
    const std::string wanted = describe(origin);
    if (found != wanted) {
        return fail(
            fmt::format("'{}' was made by '{}', this run is '{}'", path.string(), found, wanted),
            "repeat the options of the first run to continue it, or choose another --out");
    }
    for (const data::Damage& damage : writer->damage()) {
        if (damage.games != 0) continue;
        return fail(
            fmt::format("'{}' cannot be continued: nobody knows how many games were lost, {}",
                        path.string(), data::to_text(damage)),
            "rescue the rest with solis data merge --skip-damaged, and label into another "
            "store with another --seed");
    }
    const bool continued = writer->manifest().summary.games > 0;
    return LabelStore(std::move(*writer), continued, save_every);
}

Result<void> LabelStore::add(const data::LabelledGame& game) {
    if (auto done = writer_.append(game); !done) return done;
    if (Clock::now() - last_save_ < save_every_) return {};
    auto saved = writer_.flush();
    last_save_ = Clock::now();
    return saved;
}

}  // namespace solis::lab
