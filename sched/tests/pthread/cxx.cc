// cxx.cc - C++ threads: exceptions, local statics, thread_local, atomic waits.
#include "check.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable cond;
static int made, destroyed, unwound;

struct slow {
    int value;
    slow() {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        value = ++made;
    }
};
static int get() {
    static slow one;
    return one.value;
}
static int attempts;
static int fails_first() {
    static int value = [] {
        std::this_thread::yield();
        if (attempts++ == 0) throw std::runtime_error("first");
        return 5;
    }();
    return value;
}

struct local {
    int set = 0;
    ~local() { destroyed += set; }
};
static thread_local local mine;

struct witness {
    ~witness() { unwound++; }
};

static void statics() {
    std::vector<std::thread> threads;
    std::atomic<int> sum{0};
    for (int i = 0; i < 4; i++) threads.emplace_back([&] { sum += get(); });
    for (auto &t : threads) t.join();
    EQ("static_once", 4, sum.load());
    std::atomic<int> caught{0}, right{0};
    threads.clear();
    for (int i = 0; i < 3; i++) {
        threads.emplace_back([&] {
            try {
                if (fails_first() == 5) right++;
            } catch (std::runtime_error &) {
                caught++;
            }
        });
    }
    for (auto &t : threads) t.join();
    YES("static_retried", caught == 1 && right == 2);
}

static void once() {
    std::once_flag flag;
    std::atomic<int> caught{0};
    int calls = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) {
        threads.emplace_back([&] {
            try {
                std::call_once(flag, [&] {
                    std::this_thread::yield();
                    if (calls++ == 0) throw 1;
                });
            } catch (int) {
                caught++;
            }
        });
    }
    for (auto &t : threads) t.join();
    YES("call_once_retried", caught == 1 && calls == 2);
}

static void *leaves(void *) {
    witness w;
    pthread_exit(nullptr);
}
static void *canceled(void *) {
    witness w;
    try {
        sleep(1000);
    } catch (...) {
        unwound += 10;
        throw;
    }
    return nullptr;
}

static void ends() {
    finish(start(leaves, nullptr));
    EQ("exit_unwinds", 1, unwound);
    pthread_t t = start(canceled, nullptr);
    sleep(1);
    pthread_cancel(t);
    YES("canceled", finish(t) == PTHREAD_CANCELED);
    EQ("cancel_unwinds", 12, unwound);
    std::thread([] { mine.set = 1; }).join();
    std::thread([] { mine.set = 1; }).join();
    EQ("thread_local_destroyed", 2, destroyed);
}

static void waits() {
    bool ready = false;
    std::thread waiter([&] {
        std::unique_lock<std::mutex> lock(mutex);
        cond.wait(lock, [&] { return ready; });
    });
    {
        std::lock_guard<std::mutex> lock(mutex);
        ready = true;
    }
    cond.notify_one();
    waiter.join();
    std::unique_lock<std::mutex> lock(mutex);
    YES("wait_for", cond.wait_for(lock, std::chrono::hours(1)) == std::cv_status::timeout);
    YES("wait_until", cond.wait_until(lock, std::chrono::system_clock::now() +
                                                std::chrono::hours(1)) == std::cv_status::timeout);
    lock.unlock();
    std::timed_mutex timed;
    timed.lock();
    bool got = true;
    std::thread([&] { got = timed.try_lock_for(std::chrono::seconds(5)); }).join();
    timed.unlock();
    YES("try_lock_for", !got);
    std::shared_mutex shared;
    shared.lock_shared();
    std::thread([&] {
        got = shared.try_lock_shared();
        if (got) shared.unlock_shared();
    }).join();
    shared.unlock_shared();
    YES("shared", got);
    YES("async", std::async(std::launch::async, [] { return 6; }).get() == 6);
    std::promise<int> promise;
    std::thread sets([&] { promise.set_value(7); });
    YES("future", promise.get_future().get() == 7);
    sets.join();
#if __cplusplus >= 202002L
    std::atomic<int> flag{0};
    std::thread sleeper([&] {
        flag.wait(0);
        flag = 2;
        flag.notify_all();
    });
    flag = 1;
    flag.notify_one();
    flag.wait(1);
    sleeper.join();
    EQ("atomic_wait", 2, flag.load());
#endif
}

static std::atomic<int> inside{0};
static void exceptions() {
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) {
        threads.emplace_back([&, i] {
            try {
                throw i;
            } catch (int caught) {
                inside++;
                std::this_thread::yield(); // others throw meanwhile
                try {
                    throw;
                } catch (int again) {
                    if (caught == i && again == i) right++;
                }
            }
        });
    }
    for (auto &t : threads) t.join();
    EQ("exceptions_of_each", 3, right.load());
}

int main() {
    statics();
    once();
    ends();
    waits();
    exceptions();
    return 0;
}
