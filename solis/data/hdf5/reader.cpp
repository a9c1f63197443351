// Reading the reference's HDF5 in chunks of rows.
#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "solis/data/hdf5/handle.h"
#include "solis/data/hdf5/module.h"
#include "solis/data/inputs/tokenizer.h"

namespace solis::data {
namespace {

constexpr std::size_t kLongestFen = 256;

struct Dataset {
    Handle set;
    Handle space;
    Handle type;
    std::vector<hsize_t> extent;
};

// Values that were never written read as zeros, so a small file can claim any number of rows.
// Deflate packs at most 1032 to 1.
bool has_room(const Dataset& data) {
    constexpr double kBestPacking = 1100;
    double claimed = static_cast<double>(H5Tget_size(data.type.get()));
    for (const hsize_t n : data.extent) claimed *= static_cast<double>(n);
    return claimed <= kBestPacking * static_cast<double>(H5Dget_storage_size(data.set.get()));
}

// A link to another file, or data that lies in one, would let a dataset read whatever its reader
// may.
Result<void> check_link(hid_t file, const char* name) {
    H5L_info_t link{};
    if (H5Lget_info(file, name, &link, H5P_DEFAULT) < 0) {
        return fail(fmt::format("no dataset '{}'", name), "expected datasets 'fens' and 'ps'");
    }
    if (link.type == H5L_TYPE_HARD) return {};
    return fail(fmt::format("dataset '{}' is a link to another place", name),
                "copy the data into the file");
}

Result<void> check_storage(hid_t set, const char* name) {
    const Handle plist(H5Dget_create_plist(set), H5Pclose);
    if (H5Pget_external_count(plist.get()) == 0 && H5Pget_layout(plist.get()) != H5D_VIRTUAL) {
        return {};
    }
    return fail(fmt::format("the data of dataset '{}' lie in other files", name),
                "copy the data into the file");
}

Result<Dataset> open_dataset(hid_t file, const char* name) {
    if (auto ok = check_link(file, name); !ok) return tl::unexpected(ok.error());
    Dataset data{Handle(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose),
                 Handle(H5I_INVALID_HID, H5Sclose),
                 Handle(H5I_INVALID_HID, H5Tclose),
                 {}};
    if (!data.set.is_valid()) {
        return fail(fmt::format("no dataset '{}'", name), "expected datasets 'fens' and 'ps'");
    }
    if (auto ok = check_storage(data.set.get(), name); !ok) return tl::unexpected(ok.error());
    data.space = Handle(H5Dget_space(data.set.get()), H5Sclose);
    data.type = Handle(H5Dget_type(data.set.get()), H5Tclose);
    const int rank = H5Sget_simple_extent_ndims(data.space.get());
    if (rank < 1 || rank > 2 || !data.type.is_valid()) {
        return fail(fmt::format("dataset '{}' has {} dimensions", name, rank));
    }
    data.extent.resize(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(data.space.get(), data.extent.data(), nullptr);
    if (!has_room(data)) {
        return fail(fmt::format("dataset '{}' claims {} rows, more than its data can hold", name,
                                data.extent[0]));
    }
    return data;
}

// Rows [first, first + count) of `data`, converted by the library to `memory_type`.
Result<void> read_rows(const Dataset& data, hid_t memory_type, hsize_t first, hsize_t count,
                       void* out) {
    std::vector<hsize_t> start(data.extent.size(), 0), size = data.extent;
    start[0] = first;
    size[0] = count;
    const Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                        H5Sclose);
    const bool read =
        H5Sselect_hyperslab(data.space.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(),
                            nullptr) >= 0 &&
        H5Dread(data.set.get(), memory_type, memory.get(), data.space.get(), H5P_DEFAULT, out) >= 0;
    if (!read) return fail(fmt::format("cannot read rows {} to {}", first, first + count));
    return {};
}

class Hdf5Rows : public RowReader {
  public:
    Hdf5Rows(Handle file, Dataset fens, Dataset ps)
        : file_(std::move(file)), fens_(std::move(fens)), ps_(std::move(ps)) {}

    Result<bool> next(std::string_view& row) override {
        if (given_ == rows_.size()) {
            const hsize_t count = std::min<hsize_t>(kHdf5ChunkRows, ps_.extent[0] - read_);
            if (count == 0) return false;
            if (auto ok = fill(read_, count); !ok) return tl::unexpected(ok.error());
            read_ += count;
            given_ = 0;
        }
        row = rows_[given_++];
        return true;
    }
    std::string_view unit() const override { return "row"; }

  protected:
    [[nodiscard]] virtual Result<void> append_positions(const Dataset& fens, hsize_t first,
                                                        hsize_t count,
                                                        std::vector<std::string>& rows) = 0;

  private:
    Result<void> fill(hsize_t first, hsize_t count) {
        std::vector<float> ps(count);
        if (auto ok = read_rows(ps_, H5T_NATIVE_FLOAT, first, count, ps.data()); !ok) return ok;
        rows_.assign(count, {});
        for (std::size_t i = 0; i < count; ++i) {
            rows_[i].assign(reinterpret_cast<const char*>(&ps[i]), sizeof(float));
        }
        return append_positions(fens_, first, count, rows_);
    }

    Handle file_;
    Dataset fens_, ps_;
    hsize_t read_ = 0;
    std::vector<std::string> rows_;
    std::size_t given_ = 0;
};

class TokenRows final : public Hdf5Rows {
  public:
    using Hdf5Rows::Hdf5Rows;

  private:
    Result<void> append_positions(const Dataset& fens, hsize_t first, hsize_t count,
                                  std::vector<std::string>& rows) override {
        std::vector<std::int32_t> tokens(count * kTokenCount);
        if (auto ok = read_rows(fens, H5T_NATIVE_INT32, first, count, tokens.data()); !ok) {
            return ok;
        }
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            // 255 is no token in any alphabet, so that what does not fit is refused later.
            const std::int32_t token = tokens[i];
            rows[i / kTokenCount] += static_cast<char>(token < 0 || token > 254 ? 255 : token);
        }
        return {};
    }
};

class FixedTextRows final : public Hdf5Rows {
  public:
    using Hdf5Rows::Hdf5Rows;

  private:
    Result<void> append_positions(const Dataset& fens, hsize_t first, hsize_t count,
                                  std::vector<std::string>& rows) override {
        const std::size_t width = H5Tget_size(fens.type.get());
        std::vector<char> text(count * width);
        if (auto ok = read_rows(fens, fens.type.get(), first, count, text.data()); !ok) return ok;
        for (std::size_t i = 0; i < count; ++i) {
            const char* begin = text.data() + i * width;
            rows[i].append(begin, std::find(begin, begin + width, '\0'));
        }
        return {};
    }
};

class VariableTextRows final : public Hdf5Rows {
  public:
    using Hdf5Rows::Hdf5Rows;

  private:
    Result<void> append_positions(const Dataset& fens, hsize_t first, hsize_t count,
                                  std::vector<std::string>& rows) override {
        std::vector<char*> text(count, nullptr);
        if (auto ok = read_rows(fens, fens.type.get(), first, count, text.data()); !ok) return ok;
        for (std::size_t i = 0; i < count; ++i) {
            if (text[i] != nullptr) rows[i].append(text[i], ::strnlen(text[i], kLongestFen));
        }
        const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
        H5Dvlen_reclaim(fens.type.get(), memory.get(), H5P_DEFAULT, text.data());
        return {};
    }
};

Result<Hdf5Reading> text_rows_of(Handle file, Dataset fens, Dataset ps) {
    if (H5Tis_variable_str(fens.type.get()) > 0) {
        return Hdf5Reading{
            std::make_unique<VariableTextRows>(std::move(file), std::move(fens), std::move(ps)),
            false};
    }
    if (const std::size_t width = H5Tget_size(fens.type.get()); width > kLongestFen) {
        return fail(
            fmt::format("dataset 'fens' has texts of {} bytes, at most {}", width, kLongestFen));
    }
    return Hdf5Reading{
        std::make_unique<FixedTextRows>(std::move(file), std::move(fens), std::move(ps)), false};
}

Result<Hdf5Reading> rows_of_file(Handle file) {
    auto fens = open_dataset(file.get(), "fens");
    if (!fens) return tl::unexpected(fens.error());
    auto ps = open_dataset(file.get(), "ps");
    if (!ps) return tl::unexpected(ps.error());
    if (ps->extent.size() != 1 || H5Tget_class(ps->type.get()) != H5T_FLOAT) {
        return fail("dataset 'ps' is not a list of floating-point numbers");
    }
    if (fens->extent[0] != ps->extent[0]) {
        return fail(fmt::format("'fens' has {} rows, 'ps' has {}", fens->extent[0], ps->extent[0]));
    }
    const H5T_class_t kind = H5Tget_class(fens->type.get());
    if (kind == H5T_STRING && fens->extent.size() == 1) {
        return text_rows_of(std::move(file), std::move(*fens), std::move(*ps));
    }
    if (kind != H5T_INTEGER || fens->extent.size() != 2 || fens->extent[1] != kTokenCount) {
        return fail(
            fmt::format("dataset 'fens' is neither N x {} whole numbers nor a list of "
                        "texts",
                        kTokenCount));
    }
    return Hdf5Reading{
        std::make_unique<TokenRows>(std::move(file), std::move(*fens), std::move(*ps)), true};
}

Result<Hdf5Reading> open_file(const std::string& path) {
    silence_hdf5();
    Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.is_valid()) return fail(fmt::format("cannot open '{}' as HDF5", path));
    auto rows = rows_of_file(std::move(file));
    if (!rows) return fail_in(path, rows.error());
    return rows;
}

}  // namespace
}  // namespace solis::data

extern "C" void solis_open_hdf5(const std::string& path,
                                solis::Result<solis::data::Hdf5Reading>& out) {
    out = solis::data::open_file(path);
}
