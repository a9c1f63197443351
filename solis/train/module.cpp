// Loading modules.
#include "solis/train/module.h"

#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>

namespace solis::train {

Result<void*> load_function(const std::string& name, const char* function) {
    std::error_code error;
    const auto command = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::string path = (command.parent_path() / (name + ".so")).string();
    // Global, because plug-ins of what the module links (Open MPI's) look for its symbols there.
    void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) return fail(::dlerror());
    void* const address = ::dlsym(module, function);
    if (address == nullptr) return fail(fmt::format("'{}' is of another version", path));
    return address;
}

}  // namespace solis::train
