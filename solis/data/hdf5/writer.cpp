// Writing HDF5 as the reference reads it.
#include <vector>

#include <fmt/format.h>

#include "solis/data/hdf5/handle.h"
#include "solis/data/hdf5/module.h"
#include "solis/data/inputs/tokenizer.h"

namespace solis::data {
namespace {

// Grows by a chunk at a time.
class GrowingDataset {
  public:
    GrowingDataset(hid_t file, const char* name, hid_t file_type, std::vector<hsize_t> row)
        : row_(std::move(row)), set_(create(file, name, file_type)) {}

    [[nodiscard]] bool append(hid_t memory_type, hsize_t count, const void* values) {
        std::vector<hsize_t> start(row_.size() + 1, 0);
        start[0] = rows_;
        std::vector<hsize_t> grown = with_rows(rows_ + count), added = with_rows(count);
        if (H5Dset_extent(set_.get(), grown.data()) < 0) return false;
        const Handle space(H5Dget_space(set_.get()), H5Sclose);
        const Handle memory(H5Screate_simple(static_cast<int>(added.size()), added.data(), nullptr),
                            H5Sclose);
        rows_ += count;
        return H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, added.data(),
                                   nullptr) >= 0 &&
               H5Dwrite(set_.get(), memory_type, memory.get(), space.get(), H5P_DEFAULT, values) >=
                   0;
    }
    [[nodiscard]] bool close() { return set_.close(); }

  private:
    [[nodiscard]] std::vector<hsize_t> with_rows(hsize_t rows) const {
        std::vector<hsize_t> extent{rows};
        extent.insert(extent.end(), row_.begin(), row_.end());
        return extent;
    }
    [[nodiscard]] Handle create(hid_t file, const char* name, hid_t file_type) const {
        const std::vector<hsize_t> empty = with_rows(0), most = with_rows(H5S_UNLIMITED),
                                   chunk = with_rows(kHdf5ChunkRows);
        const Handle space(
            H5Screate_simple(static_cast<int>(empty.size()), empty.data(), most.data()), H5Sclose);
        const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(options.get(), static_cast<int>(chunk.size()), chunk.data());
        return Handle(
            H5Dcreate2(file, name, file_type, space.get(), H5P_DEFAULT, options.get(), H5P_DEFAULT),
            H5Dclose);
    }

    std::vector<hsize_t> row_;
    Handle set_;
    hsize_t rows_ = 0;
};

class DatasetWriter final : public Hdf5Writer {
  public:
    explicit DatasetWriter(Handle file)
        : file_(std::move(file)),
          fens_(file_.get(), "fens", H5T_STD_I32LE, {kTokenCount}),
          ps_(file_.get(), "ps", H5T_IEEE_F32LE, {}) {}

    Result<void> append(std::span<const std::int32_t> tokens,
                        std::span<const float> probabilities) override {
        const hsize_t count = probabilities.size();
        if (!fens_.append(H5T_NATIVE_INT32, count, tokens.data()) ||
            !ps_.append(H5T_NATIVE_FLOAT, count, probabilities.data())) {
            return fail("cannot write HDF5", "is the disk full?");
        }
        return {};
    }
    Result<void> close() override {
        if (!fens_.close() || !ps_.close() || !file_.close()) return fail("cannot write HDF5");
        return {};
    }

  private:
    Handle file_;
    GrowingDataset fens_, ps_;
};

}  // namespace
}  // namespace solis::data

extern "C" void solis_create_hdf5(const std::string& path,
                                  solis::Result<std::unique_ptr<solis::data::Hdf5Writer>>& out) {
    namespace data = solis::data;
    data::silence_hdf5();
    data::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (file.is_valid()) {
        out = std::make_unique<data::DatasetWriter>(std::move(file));
    } else {
        out = solis::fail(fmt::format("cannot write '{}' as HDF5", path));
    }
}
