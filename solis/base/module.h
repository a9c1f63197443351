// Optional parts of the program that need large libraries of others (HDF5, cairo, MPI, LibTorch)
// are modules: shared libraries that are loaded when they are asked for, so that nothing else
// depends on them or waits for them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "solis/base/result.h"

namespace solis {

// Whether the symbols of a module and of what it links are visible to everything loaded later.
enum class ModuleSymbols { Local, Global };

// The address of a function with C linkage in the module "NAME.so". It is never unloaded. The error
// names every file that was tried and why it did not serve.
[[nodiscard]] Result<void*> load_function(const std::string& name, const char* function,
                                          ModuleSymbols symbols = ModuleSymbols::Local);

// Where modules are looked for: beside the file that holds this code (the program, or the shared
// library it was linked into), in lib/solis beside it or beside its folder, and in the folder of
// libraries that was configured for the installation. All are absolute: the working directory and
// the environment have no say, because whoever controls a module controls the program.
[[nodiscard]] std::vector<std::filesystem::path> module_folders();

}  // namespace solis
