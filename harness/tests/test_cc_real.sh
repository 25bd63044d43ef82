# test_cc_real.sh - heddle-cc with the runtime that is built, not a stub.
. harness/tests/cc/lib.sh
PATH=$BUILD/bin:$PATH

cat > spin.c <<'C'
#include <pthread.h>
#include <stdio.h>
int flag, count;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&guard);
        count++;
        pthread_mutex_unlock(&guard);
    }
    flag = 1;
    return arg;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    while (!flag) {
    }
    pthread_join(id, NULL);
    printf("count %d\n", count);
    return 0;
}
C
cat > host.cc <<'C'
#include <condition_variable>
#include <dlfcn.h>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
static std::mutex guard;
static std::condition_variable ready;
static bool there;
int main() {
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    int (*run)() = plugin ? (int (*)())dlsym(plugin, "run") : nullptr;
    std::thread t([] {
        std::lock_guard<std::mutex> hold(guard);
        there = true;
        ready.notify_one();
    });
    std::unique_lock<std::mutex> hold(guard);
    ready.wait(hold, [] { return there; });
    hold.unlock();
    t.join();
    try {
        if (!run) throw std::runtime_error(dlerror());
        std::cout << "plugin " << run() << "\n";
    } catch (const std::exception &e) {
        std::cout << e.what() << "\n";
    }
}
C
cat > plugin.c <<'C'
#include <pthread.h>
static int done;
static void *work(void *arg) { done = 1; return arg; }
int run(void) {
    pthread_t id;
    if (pthread_create(&id, 0, work, 0)) return -1;
    while (!done) {
    }
    return pthread_join(id, 0) + done;
}
C

spins() { heddle-cc "$1" spin.c -o spin && prints_plain ./spin "count 3"; }
plugin() {
    heddle-cc "$1" -shared -fPIC plugin.c -o plugin.so &&
        heddle-c++ "$1" -ffunction-sections host.cc -Wl,--gc-sections -o host && prints_plain ./host "plugin 1"
}
exports() { nm -D spin | grep -q ' [TW] pthread_create' && nm -D spin | grep -q ' T __tsan_read4'; }
for compiler in gcc clang; do
    HEDDLE_CC=$compiler
    export HEDDLE_CC
    for level in -O0 -O2 -O3; do
        check "a spin on a plain variable ends at $level ($compiler)" spins $level
        check "a plugin that makes a thread, std::thread, exceptions at $level ($compiler)" plugin $level
    done
    check "shared libraries see the runtime's threads ($compiler)" exports
done
