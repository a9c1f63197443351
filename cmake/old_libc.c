// Three names of newer C libraries that the static libstdc++ and libgcc refer to, for programs that are
// linked against glibc 2.31 (scripts/old-libc). Part of releases only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

// Not zero would mean that no second thread exists, so that reference counts need not be atomic.
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;

// For std::random_device.
__attribute__((visibility("hidden"))) uint32_t arc4random(void) {
    uint32_t value;
    if (getentropy(&value, sizeof value) != 0) abort();
    return value;
}

struct search {
    uintptr_t address;
    struct dl_find_object* found;
};

// Whether the object that `info` describes holds the address.
static int look_into(struct dl_phdr_info* info, size_t size, void* data) {
    (void)size;
    const struct search* search = data;
    int holds = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME) search->found->dlfo_eh_frame = (void*)begin;
        if (part->p_type != PT_LOAD || search->address - begin >= part->p_memsz) continue;
        search->found->dlfo_map_start = (void*)begin;
        search->found->dlfo_map_end = (void*)(begin + part->p_memsz);
        holds = 1;
    }
    if (holds && search->found->dlfo_eh_frame != NULL) return 1;
    search->found->dlfo_eh_frame = NULL;
    return 0;
}

// Where the tables for unwinding lie that an exception needs at `address`.
__attribute__((visibility("hidden"))) int _dl_find_object(void* address,
                                                          struct dl_find_object* found) {
    struct search search = {(uintptr_t)address, found};
    *found = (struct dl_find_object){0};
    return dl_iterate_phdr(look_into, &search) == 1 ? 0 : -1;
}
