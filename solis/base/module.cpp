// Loading modules.
#include "solis/base/module.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

namespace solis {
namespace {

namespace fs = std::filesystem;

// The file that holds this code. The loader calls a program by the name it was started with, which
// may be relative or wrong; the kernel knows better.
fs::path own_file() {
    Dl_info info{};
    link_map* map = nullptr;
    void* const extra = &map;
    const bool found = ::dladdr1(reinterpret_cast<const void*>(&module_folders), &info,
                                 static_cast<void**>(extra), RTLD_DL_LINKMAP) != 0;
    std::error_code error;
    if (found && map != nullptr && map->l_name != nullptr && map->l_name[0] != '\0') {
        return fs::canonical(map->l_name, error);
    }
    return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

std::vector<fs::path> module_folders() {
    std::vector<fs::path> folders;
    if (const fs::path own = own_file(); own.is_absolute()) {
        const fs::path folder = own.parent_path();
        folders = {folder, folder / "lib/solis", folder.parent_path() / "lib/solis"};
    }
    folders.emplace_back(SOLIS_MODULE_FOLDER);
    return folders;
}

Result<void*> load_function(const std::string& name, const char* function, ModuleSymbols symbols) {
    const int scope = symbols == ModuleSymbols::Global ? RTLD_GLOBAL : RTLD_LOCAL;
    std::string tried;
    for (const fs::path& folder : module_folders()) {
        const fs::path path = folder / (name + ".so");
        std::error_code error;
        if (!fs::exists(path, error)) {
            tried += fmt::format("{}'{}'", tried.empty() ? "" : ", ", path.string());
            continue;
        }
        void* const module = ::dlopen(path.c_str(), RTLD_NOW | scope);
        // The loader's message names the library that is missing.
        if (module == nullptr) return fail(::dlerror());
        void* const address = ::dlsym(module, function);
        if (address == nullptr) {
            return fail(fmt::format("'{}' is of another version", path.string()));
        }
        return address;
    }
    return fail(fmt::format("no {}.so (looked for {})", name, tried));
}

}  // namespace solis
