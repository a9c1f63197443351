// Identifiers of the HDF5 C library that close themselves.
#pragma once
#include <utility>

#include <hdf5.h>

namespace solis::data {

// An identifier of the library, closed by the function that fits its kind.
class Handle {
  public:
    Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
    Handle(Handle&& other) noexcept
        : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() { close(); }

    // False where the library refuses, for example because it cannot write what is left.
    bool close() {
        const hid_t id = std::exchange(id_, H5I_INVALID_HID);
        return id < 0 || close_(id) >= 0;
    }
    [[nodiscard]] hid_t get() const { return id_; }
    [[nodiscard]] bool is_valid() const { return id_ >= 0; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

// The library prints a stack of its own on stderr; our errors say what matters.
inline void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

}  // namespace solis::data
