// Maps, points put into them, and their files.
#include <algorithm>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "solis/atlas/file/map_file.h"
#include "solis/atlas/quality.h"
#include "tests/atlas/random_points.h"
#include "tests/base/temporary_folder.h"

namespace solis::atlas {
namespace {

MapData small_map(MapKind kind = MapKind::Umap, std::size_t rows = 2500) {
    UmapOptions options;
    options.n_epochs = 80;
    ThreadPool pool(2);
    const std::vector<float> axis{1, 0, 0, 0, 0, 0};
    auto map = make_map(kind, cluster_points(rows, 6, 1), 6, options, axis, pool);
    map->space = "0123456789abcdef";
    map->values.assign(rows, 0.5f);
    return std::move(*map);
}

TEST(Map, PlacesAPointAloneAsTogetherInAnyOrderAndOnAnyNumberOfThreads) {
    ThreadPool one(1), four(4);
    for (const MapKind kind : {MapKind::Umap, MapKind::Pca, MapKind::Axis}) {
        const Map map(small_map(kind), one);
        std::vector<float> asked = cluster_points(100, 6, 9);
        const auto together = map.place_all({asked, 6}, four);
        ASSERT_TRUE(together);
        EXPECT_EQ(*map.place_all({asked, 6}, one), *together);
        std::vector<float> backwards;
        for (std::size_t i = 100; i-- > 0;) {
            const std::span<const float> row = std::span(asked).subspan(i * 6, 6);
            EXPECT_EQ(*map.place(row), (*together)[i]) << i;
            backwards.insert(backwards.end(), row.begin(), row.end());
        }
        auto reversed = *map.place_all({backwards, 6}, four);
        std::ranges::reverse(reversed);
        EXPECT_EQ(reversed, *together);
    }
}

// The promise of the atlas: a held-out tenth lands as near its true neighbours as in a joint fit.
TEST(Map, PlacesAHeldOutTenthAsWellAsAJointFit) {
    const std::size_t rows = 4000, dims = 12;
    const std::vector<float> all = cluster_points(rows, dims, 2, 15, 0.5f);
    std::vector<float> kept, asked;
    std::vector<std::size_t> held;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto row = std::span(all).subspan(i * dims, dims);
        std::vector<float>& to = i % 10 == 0 ? asked : kept;
        to.insert(to.end(), row.begin(), row.end());
        if (i % 10 == 0) held.push_back(i);
    }
    ThreadPool pool(2);
    const UmapOptions options;
    const auto joint = fit_umap({all, dims}, options, pool);
    const Map map(*make_map(MapKind::Umap, kept, dims, options, {}, pool), pool);
    const auto placed = *map.place_all({asked, dims}, pool);
    std::vector<Place> places;
    for (std::size_t i = 0, in_map = 0; i < rows; ++i) {
        places.push_back(i % 10 == 0 ? placed[i / 10] : map.data().places[in_map++]);
    }
    const auto quality = [&](const std::vector<Place>& where) {
        return map_quality_of({all, dims}, options.metric, where, 15, held, pool).trustworthiness;
    };
    EXPECT_GT(quality(places), 0.98 * quality(joint->places));
}

TEST(Map, RefusesPointsThatDoNotFit) {
    ThreadPool pool(1);
    const Map map(small_map(MapKind::Umap, 100), pool);
    EXPECT_EQ(map.place(std::vector<float>(5, 1.0f)).error().message,
              "the point has 5 dimensions, the map's points have 6");
    EXPECT_FALSE(map.place(std::vector<float>(6, 0.0f)));
    EXPECT_FALSE(map.place(std::vector<float>(6, std::numeric_limits<float>::quiet_NaN())));
}

TEST(Map, OfOnePointTakesOthers) {
    ThreadPool pool(1);
    for (const std::size_t rows : {1u, 2u}) {
        const Map map(small_map(MapKind::Umap, rows), pool);
        EXPECT_TRUE(map.place(std::vector<float>(6, 1.0f)));
    }
}

TEST(MapFile, GivesBackWhatWasWritten) {
    for (const MapKind kind : {MapKind::Umap, MapKind::Pca, MapKind::Axis}) {
        const MapData map = small_map(kind, 300);
        const auto again = parse_map_file(to_map_file(map));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_TRUE(*again == map);
    }
}

TEST(MapFile, RefusesEveryDamagedByte) {
    const std::string file = to_map_file(small_map(MapKind::Umap, 20));
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::string damaged = file;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        EXPECT_FALSE(parse_map_file(damaged)) << "byte " << i;
        EXPECT_FALSE(parse_map_file(file.substr(0, i))) << "length " << i;
    }
    EXPECT_FALSE(parse_map_file(file + "x"));
}

TEST(MapFile, IsRefusedForAnotherModel) {
    const MapData map = small_map(MapKind::Pca, 20);
    EXPECT_TRUE(check_space(map, "0123456789abcdef"));
    const auto other = check_space(map, "fedcba9876543210");
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message,
              "the map is of another model (its hash is 0123456789abcdef, this model's is "
              "fedcba9876543210)");
    EXPECT_FALSE(other.error().hint.empty());
}

TEST(MapFile, NamesThePathInErrors) {
    const TemporaryFolder folder;
    const std::string path = folder / "points.map";
    ASSERT_TRUE(save_map(path, small_map(MapKind::Umap, 30)));
    EXPECT_TRUE(load_map(path));
    std::filesystem::resize_file(path, 100);
    EXPECT_NE(load_map(path).error().message.find(path), std::string::npos);
}

}  // namespace
}  // namespace solis::atlas
