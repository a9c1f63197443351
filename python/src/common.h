// What all parts of the Python module share: failures as exceptions, positions from whatever Python
// calls one, arrays without copies.
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::python {

namespace py = pybind11;

// An Error on its way to Python, where it becomes solis.SolisError.
class Failure final : public std::exception {
  public:
    explicit Failure(Error error) : error_(std::move(error)) {}
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }

  private:
    Error error_;
};

template <class T>
[[nodiscard]] T value_of(Result<T> result) {
    if (!result) throw Failure(std::move(result.error()));
    return std::move(*result);
}
inline void check(Result<void> result) {
    if (!result) throw Failure(std::move(result.error()));
}
[[noreturn]] inline void raise(std::string message, std::string hint = {}) {
    throw Failure(Error{std::move(message), std::move(hint)});
}

// Raises KeyboardInterrupt where Ctrl-C was pressed. The caller holds the GIL.
inline void check_signals() {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// A number of the range, or an error that names the argument.
template <class T>
void check_range(const char* name, T value, T least, T most) {
    if (value >= least && value <= most) return;
    raise(std::string(name) + " is " + std::to_string(value) + ", expected " +
          std::to_string(least) + " to " + std::to_string(most));
}

// A Position, or a FEN, or "startpos"; anything else raises TypeError.
[[nodiscard]] chess::Position to_position(py::handle object);

// One position or many of them; what was one in Python is answered with one row.
struct Positions {
    std::vector<chess::Position> list;
    bool single = false;
};
[[nodiscard]] Positions to_positions(const py::object& object);

// str or os.PathLike as UTF-8 text without NUL.
[[nodiscard]] std::string to_path(const py::object& path);

// An array that owns the vector's memory; nothing is copied.
template <class T>
[[nodiscard]] py::array_t<T> to_array(std::vector<T> values, std::vector<py::ssize_t> shape) {
    auto owner = std::make_unique<std::vector<T>>(std::move(values));
    const T* data = owner->data();
    const py::capsule capsule(owner.get(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
    owner.release();
    return py::array_t<T>(std::move(shape), data, capsule);
}
template <class T>
[[nodiscard]] py::array_t<T> to_array(std::vector<T> values) {
    const auto size = static_cast<py::ssize_t>(values.size());
    return to_array(std::move(values), {size});
}

// rows x columns floats of anything that numpy can make such an array of; a copy, because other
// threads may write to the original while the GIL is released.
struct Matrix {
    std::vector<float> values;
    std::size_t rows = 0;
    std::size_t columns = 0;
    bool single = false;  // was one row without a second dimension
};
[[nodiscard]] Matrix to_matrix(const char* name, const py::object& object);

// The parts of the module.
void bind_positions(py::module_& module);
void bind_games(py::module_& module);
void bind_models(py::module_& module);
void bind_plans(py::module_& module);
void bind_stores(py::module_& module);
void bind_maps(py::module_& module);
void bind_ratings(py::module_& module);

}  // namespace solis::python
