/* boot.c - from the first instruction to main.
 *
 * Order of things in a process: the dynamic linker relocates (and already calls
 * malloc, which is ours); .preinit_array runs hd_boot, before any constructor;
 * constructors run on the process's own stack as thread 0; then libc calls what
 * it takes for main, hd_main (run.c), which starts the first execution. */
#include "arguments.h"
#include "heap.h"
#include "module.h"
#include "options.h"
#include "run.h"
#include "runtime.h"
#include "shadow.h"

#include <stdlib.h>
#include <sys/mman.h>

bool hd_booted;

/* The state's mapping and what malloc needs; may run before relocation of
 * other modules is complete, so no calls out of here but system calls. */
void hd_boot_memory(void) {
    size_t size = (sizeof(struct hd_runtime) + HD_PAGE - 1) & ~(HD_PAGE - 1);
    void *at = mmap(hd_rt, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != hd_rt) hd_give_up("cannot map memory at %p", (void *)hd_rt);
    hd_booted = true;
    hd_region_init(&hd_rt->words, HD_AT_WORDS, HD_AT_RUNTIME);
    hd_region_init(&hd_rt->lasting, HD_AT_LASTING, HD_AT_PASSING);
    hd_region_init(&hd_rt->passing, HD_AT_PASSING, HD_AT_VARS);
    hd_region_init(&hd_rt->vars, HD_AT_VARS, HD_AT_VARS_AT);
    hd_region_init(&hd_rt->vars_at, HD_AT_VARS_AT, HD_AT_VARS_MORE);
    hd_region_init(&hd_rt->vars_more, HD_AT_VARS_MORE, HD_AT_SHADOW);
    hd_rt->vars.dense = hd_rt->vars_at.dense = true;
    hd_region_init(&hd_rt->shadow, HD_AT_SHADOW, HD_AT_OWN);
    hd_own_boot();
    hd_rt->generation = 1;
    hd_rt->config.result_fd = -1;
}

/* What heddle-cc linked that no heddle-cc had compiled: names, the last empty. */
extern const char hd_uninstrumented[] __attribute__((weak));

static void note_uninstrumented(void) {
    for (const char *name = hd_uninstrumented; name && *name; name += strlen(name) + 1) {
        hd_note("%s was not compiled by heddle-cc: what happens in it is not seen", name);
    }
}

void hd_boot(int argc, char **argv, char **envp) {
    if (!hd_booted) hd_boot_memory();
    hd_rt->argc = argc;
    hd_rt->argv = argv;
    hd_rt->envp = envp;
    hd_real_find(&hd_rt->real);
    hd_tls_boot();
    hd_shadow_boot();
    hd_module_scan();
    hd_rt->options = hd_arguments_move(argv, envp);
    hd_options_read(&hd_rt->config, hd_rt->options);
    if (hd_rt->config.stamps) hd_stamps_renew();
    if (hd_rt->config.result_fd >= 0) hd_result_word(hd_rt->config.result_fd, "hello");
    note_uninstrumented();
    hd_users_boot();
    hd_crash_boot();
    hd_run_boot();
}

__attribute__((section(".preinit_array"), used)) static void (*const hook)(int, char **,
                                                                          char **) = hd_boot;

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end) {
    if (!hd_booted) hd_boot_memory();
    hd_rt->main = program;
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                void (*)(void), void *) = hd_real_named("__libc_start_main");
    return real(hd_main, argc, argv, init, fini, rtld_fini, stack_end);
}
