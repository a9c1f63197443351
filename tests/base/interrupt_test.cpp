// Ctrl-C as a question.
#include "solis/base/interrupt.h"

#include <gtest/gtest.h>
#include <pthread.h>

namespace solis {
namespace {

TEST(InterruptWatch, HoldsTheSignalBackAndTells) {
    InterruptWatch watch;
    EXPECT_FALSE(watch.requested());
    pthread_kill(pthread_self(), SIGINT);
    EXPECT_TRUE(watch.requested());
    EXPECT_TRUE(watch.requested()) << "stays so";
}

TEST(InterruptWatch, RestoresTheMask) {
    sigset_t before, after;
    pthread_sigmask(SIG_BLOCK, nullptr, &before);
    { InterruptWatch watch; }
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    EXPECT_EQ(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    EXPECT_EQ(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM));
}

}  // namespace
}  // namespace solis
