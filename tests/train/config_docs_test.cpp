// The tables of docs/training.md are those of the config: run this test to see what they should be.
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/train/config_fields.h"

namespace solis::train {
namespace {

std::string training_page() {
    std::ifstream file(SOLIS_TEST_FILES "/../../docs/training.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> values_of(const TrainConfig& config) {
    std::vector<std::string> values;
    visit_fields(config, [&](auto, const auto& member, const auto&, const char*) {
        values.push_back(toml_text(member));
    });
    return values;
}

std::string key_table(const TrainConfig& config) {
    std::string table = "| key | default | meaning |\n|---|---|---|\n";
    visit_fields(config, [&](std::string_view key, const auto& member, const FieldRule& rule,
                             const char* meaning) {
        std::string text = meaning;
        if (!rule.old_key.empty()) text += fmt::format(" (before: `{}`)", rule.old_key);
        table += fmt::format("| `{}` | `{}` | {} |\n", key, toml_text(member), text);
    });
    return table;
}

// What each preset changes in the first one.
std::string preset_table() {
    std::string table = "| preset | changes |\n|---|---|\n";
    const TrainConfig first = *preset(preset_names()[0]);
    const std::vector<std::string> before = values_of(first);
    for (const std::string_view name : preset_names()) {
        const TrainConfig config = *preset(name);
        std::string changes;
        std::size_t i = 0;
        visit_fields(
            config, [&](std::string_view key, const auto& member, const auto&, const char*) {
                const std::string value = toml_text(member);
                if (value != before[i++]) {
                    changes += fmt::format("{}`{} = {}`", changes.empty() ? "" : ", ", key, value);
                }
            });
        table += fmt::format("| `{}` | {} |\n", name, changes.empty() ? "(the defaults)" : changes);
    }
    return table;
}

TEST(TrainingPage, ListsEveryKeyWithItsDefaultAndMeaning) {
    const std::string table = key_table(*preset("swift"));
    EXPECT_NE(training_page().find(table), std::string::npos)
        << "docs/training.md should contain:\n"
        << table;
}

TEST(TrainingPage, ListsWhatEveryPresetChanges) {
    const std::string table = preset_table();
    EXPECT_NE(training_page().find(table), std::string::npos)
        << "docs/training.md should contain:\n"
        << table;
}

}  // namespace
}  // namespace solis::train
