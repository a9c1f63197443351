// Writing and reading map files.
#include "solis/atlas/file/map_file.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "solis/atlas/file/sealed_file.h"
#include "solis/base/byte_source.h"
#include "solis/base/file.h"

namespace solis::atlas {
namespace {

constexpr SealedKind kMapFile{"SOLISMAP", 1, "map file"};
constexpr std::size_t kMostText = 1000;

void append_double(Bytes& out, double value) {
    append_little_endian(out, std::bit_cast<std::uint64_t>(value));
}
double read_double(ByteReader& in) { return std::bit_cast<double>(in.number<std::uint64_t>()); }

void append_options(Bytes& out, const UmapOptions& options) {
    append_varint(out, options.n_neighbors);
    append_double(out, options.min_dist);
    append_double(out, options.spread);
    append_varint(out, static_cast<std::uint64_t>(options.metric));
    append_varint(out, options.n_epochs);
    append_double(out, options.learning_rate);
    append_varint(out, options.negative_sample_rate);
    append_varint(out, static_cast<std::uint64_t>(options.start));
    append_little_endian(out, options.seed.value);
    append_varint(out, options.exact_limit);
}

// False where an enumeration has a value that does not exist; ranges are check_options' work.
bool read_options(ByteReader& in, UmapOptions& options) {
    options.n_neighbors = in.varint();
    options.min_dist = read_double(in);
    options.spread = read_double(in);
    const std::uint64_t metric = in.varint();
    options.n_epochs = in.varint();
    options.learning_rate = read_double(in);
    options.negative_sample_rate = in.varint();
    const std::uint64_t start = in.varint();
    options.seed.value = in.number<std::uint64_t>();
    options.exact_limit = in.varint();
    options.metric = metric == 1 ? Metric::Euclidean : Metric::Cosine;
    options.start = start == 1 ? Start::Spectral : Start::Pca;
    return in.ok() && metric <= 1 && start <= 1;
}

std::vector<float> flat(const std::vector<Place>& places) {
    std::vector<float> values;
    values.reserve(2 * places.size());
    for (const Place& place : places) values.push_back(place.x), values.push_back(place.y);
    return values;
}

tl::unexpected<Error> senseless(std::string_view what) {
    return fail(fmt::format("the map file makes no sense: {}", what), "make it again");
}

bool all_finite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// The arrays, whose sizes stand before them.
Result<void> read_arrays(ByteReader& in, MapData& map) {
    const std::uint64_t rows = in.varint(), dims = in.varint(), values = in.varint();
    const std::uint64_t neighbours = in.varint();
    if (!in.ok() || rows == 0 || rows > kMaxPoints || dims == 0 || dims > kMaxDims) {
        return senseless("it has no points, or too many");
    }
    if (values != 0 && values != rows) return senseless("values for other points");
    if (neighbours >= std::min<std::uint64_t>(rows, 1000)) return senseless("too many neighbours");
    map.dims = dims;
    map.neighbour_count = neighbours;
    std::vector<float> places;
    Projection projection;
    const bool linear = map.kind != MapKind::Umap;
    const bool complete = read_array(in, rows * dims, map.points) &&
                          read_array(in, values, map.values) && read_array(in, rows * 2, places) &&
                          read_array(in, rows * neighbours, map.neighbours) &&
                          read_array(in, linear ? dims : 0, projection.origin) &&
                          read_array(in, linear ? dims : 0, projection.x_direction) &&
                          read_array(in, linear ? dims : 0, projection.y_direction);
    if (!complete || in.remaining() != 0) return senseless("its parts do not fill it");
    for (std::size_t i = 0; i < places.size(); i += 2) {
        map.places.push_back({places[i], places[i + 1]});
    }
    if (linear) map.projection = std::move(projection);
    return {};
}

Result<void> check_content(const MapData& map) {
    if (auto ok = check_options(map.options); !ok) return senseless(ok.error().message);
    const Metric metric = map.projection ? Metric::Euclidean : map.options.metric;
    if (auto ok = check_points(map.view(), metric); !ok) return senseless(ok.error().message);
    bool finite = all_finite(map.values) && all_finite(flat(map.places));
    if (map.projection) {
        finite = finite && all_finite(map.projection->origin) &&
                 all_finite(map.projection->x_direction) && all_finite(map.projection->y_direction);
    }
    if (!finite) return senseless("a number is not finite");
    if (std::ranges::any_of(map.neighbours, [&](std::uint32_t j) { return j >= map.rows(); })) {
        return senseless("a neighbour does not exist");
    }
    if (map.kind == MapKind::Umap && map.rows() > 1 && map.neighbour_count == 0) {
        return senseless("it has no neighbours");
    }
    return {};
}

}  // namespace

std::string to_map_file(const MapData& map) {
    Bytes out;
    out.push_back(static_cast<std::uint8_t>(map.kind));
    append_text(out, map.space);
    append_options(out, map.options);
    append_varint(out, map.rows());
    append_varint(out, map.dims);
    append_varint(out, map.values.size());
    append_varint(out, map.neighbour_count);
    append_array(out, map.points);
    append_array(out, map.values);
    append_array(out, flat(map.places));
    append_array(out, map.neighbours);
    if (map.projection) {
        append_array(out, map.projection->origin);
        append_array(out, map.projection->x_direction);
        append_array(out, map.projection->y_direction);
    }
    return seal(kMapFile, out);
}

Result<MapData> parse_map_file(std::string_view bytes) {
    const auto payload = unseal(kMapFile, bytes);
    if (!payload) return tl::unexpected(payload.error());
    ByteReader in(*payload);
    MapData map;
    const std::uint8_t kind = in.byte();
    if (kind > static_cast<std::uint8_t>(MapKind::Axis)) return senseless("an unknown kind of map");
    map.kind = static_cast<MapKind>(kind);
    if (!read_text(in, kMostText, map.space)) return senseless("no name of a space");
    if (!read_options(in, map.options)) return senseless("its options");
    if (auto ok = read_arrays(in, map); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_content(map); !ok) return tl::unexpected(ok.error());
    return map;
}

Result<void> save_map(const std::filesystem::path& path, const MapData& map, Existing existing) {
    return write_file_atomically(path, to_map_file(map), existing);
}

Result<MapData> load_map(const std::string& path) {
    const auto bytes = read_regular_file(path);
    if (!bytes) return tl::unexpected(bytes.error());
    auto map = parse_map_file(*bytes);
    if (!map) return fail_in(fmt::format("'{}'", path), map.error());
    return map;
}

Result<void> check_space(const MapData& map, std::string_view space) {
    if (map.space == space) return {};
    return fail(fmt::format("the map is of another model (its hash is {}, this model's is {})",
                            map.space.empty() ? "missing" : map.space, space),
                "name the model it was made with (--model), or make a map of this one (solis map)");
}

}  // namespace solis::atlas
