// Numbered tasks on several threads.
#include "solis/base/thread_pool.h"

#include <atomic>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/start_thread.h"

namespace solis {
namespace {

TEST(StartThread, TellsWhereAThreadCannotBeStarted) {
    struct Work {
        Work() = default;
        Work(const Work&) { throw std::bad_alloc(); }
        void operator()() const {}
    };
    std::vector<std::thread> threads;
    ASSERT_TRUE(start_thread(threads, [] {}));
    EXPECT_FALSE(start_thread(threads, Work()));
    ASSERT_EQ(threads.size(), 1u);
    threads[0].join();
}

TEST(ThreadPool, RunsEveryTaskOnce) {
    for (const std::size_t threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.threads(), threads);
        for (const std::size_t count : {0, 1, 2, 3, 1000}) {
            std::vector<std::atomic<int>> runs(count);
            pool.run(count, [&](std::size_t i) { ++runs[i]; });
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(runs[i], 1) << i << " of " << count << " on " << threads;
            }
        }
    }
}

TEST(ThreadPool, TasksRunAtTheSameTime) {
    ThreadPool pool(3);
    std::mutex mutex;
    std::condition_variable all_here;
    int here = 0;
    // Would never end if one thread did them one after another.
    pool.run(3, [&](std::size_t) {
        std::unique_lock lock(mutex);
        ++here;
        all_here.notify_all();
        all_here.wait(lock, [&] { return here == 3; });
    });
    EXPECT_EQ(here, 3);
}

TEST(ThreadPool, WhatTasksWroteIsSeenAfterwards) {
    ThreadPool pool(2);
    std::vector<int> squares(500);
    for (int round = 0; round < 100; ++round) {
        pool.run(squares.size(), [&](std::size_t i) { squares[i] = static_cast<int>(i) + round; });
        EXPECT_EQ(std::accumulate(squares.begin(), squares.end(), 0), 500 * 499 / 2 + 500 * round);
    }
}

TEST(ThreadPool, AnExceptionOfATaskComesOutOfRun) {
    for (const std::size_t threads : {1, 3}) {
        ThreadPool pool(threads);
        for (int round = 0; round < 20; ++round) {
            EXPECT_THROW(pool.run(50,
                                  [](std::size_t i) {
                                      if (i % 7 == 3) throw std::bad_alloc();
                                  }),
                         std::bad_alloc);
        }
        // The pool is usable afterwards.
        std::atomic<int> done{0};
        pool.run(10, [&](std::size_t) { ++done; });
        EXPECT_EQ(done, 10);
    }
}

}  // namespace
}  // namespace solis
