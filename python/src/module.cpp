// The Python module solis._core: its exception and its parts.
#include <pybind11/eval.h>

#include "python/src/common.h"

namespace solis::python {
namespace {

// The exception class lives as long as the interpreter: a translator cannot be taken back.
PyObject*& error_class() {
    static PyObject* type = nullptr;
    return type;
}

void set_python_error(const Error& error) {
    const py::object type = py::reinterpret_borrow<py::object>(error_class());
    const py::object exception = type(error.message, error.hint);
    PyErr_SetObject(type.ptr(), exception.ptr());
}

void bind_error(py::module_& module) {
    const py::dict names;
    py::exec(R"(
class SolisError(ValueError):
    """Something failed: message says what and on which input, hint what to do about it."""

    def __init__(self, message="", hint=""):
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self):
        return f"{self.message}\nhint: {self.hint}" if self.hint else str(self.message)

SolisError.__module__ = "solis"
)",
             py::globals(), names);
    const py::object type = names["SolisError"];
    module.attr("SolisError") = type;
    error_class() = py::object(type).release().ptr();
    py::register_exception_translator([](std::exception_ptr pointer) {
        try {
            if (pointer) std::rethrow_exception(pointer);
        } catch (const Failure& failure) {
            set_python_error(failure.error());
        }
    });
}

// pybind11 gives memory that nobody has filled to an object that __new__ alone has made. Here
// __new__ makes whole objects, and the __init__ that follows it finds its work done. Old pickle
// protocols would make a bare base object, which pybind11 ends the process for.
void seal_classes(py::module_& module) {
    const py::dict names;
    names["module"] = module;
    py::exec(R"(
def seal(cls):
    new, init = cls.__new__, cls.__init__

    def __new__(cls, *args, **kwargs):
        self = new(cls)
        init(self, *args, **kwargs)
        return self

    def __reduce__(self):
        raise TypeError(f"a solis.{cls.__name__} cannot be pickled or copied")

    cls.__new__ = staticmethod(__new__)
    if "__reduce__" not in vars(cls):
        cls.__reduce__ = __reduce__

for value in list(vars(module).values()):
    if isinstance(value, type) and not issubclass(value, BaseException):
        seal(value)
)",
             names);
}

}  // namespace

std::string to_path(const py::object& path) {
    const py::object text = py::module_::import("os").attr("fspath")(path);
    if (!py::isinstance<py::str>(text)) throw py::type_error("a path is str or os.PathLike");
    std::string name = py::cast<std::string>(text);
    if (name.find('\0') != std::string::npos) raise("a path has a NUL character");
    return name;
}

Matrix to_matrix(const char* name, const py::object& object) {
    using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
    if (py::isinstance<py::str>(object) || py::isinstance<py::bytes>(object)) {
        throw py::type_error(std::string(name) + " is text, expected numbers");
    }
    const Floats array = Floats::ensure(object);
    if (!array) throw py::type_error(std::string(name) + " is no array of numbers");
    if (array.ndim() != 1 && array.ndim() != 2) {
        raise(std::string(name) + " has " + std::to_string(array.ndim()) +
              " dimensions, expected rows x columns");
    }
    Matrix matrix;
    matrix.single = array.ndim() == 1;
    matrix.rows = matrix.single ? 1 : static_cast<std::size_t>(array.shape(0));
    matrix.columns = static_cast<std::size_t>(array.shape(array.ndim() - 1));
    matrix.values.assign(array.data(), array.data() + array.size());
    return matrix;
}

}  // namespace solis::python

PYBIND11_MODULE(_core, module) {
    namespace sp = solis::python;
    module.doc() = "Latent planning for chess: the compiled part of the package solis.";
    module.attr("__version__") = SOLIS_VERSION;
    sp::bind_error(module);
    sp::bind_positions(module);
    sp::bind_games(module);
    sp::bind_models(module);
    sp::bind_plans(module);
    sp::bind_stores(module);
    sp::bind_maps(module);
    sp::bind_ratings(module);
    sp::seal_classes(module);
}
