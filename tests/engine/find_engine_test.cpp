// Finding engines.
#include "solis/engine/client/find_engine.h"

#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

namespace solis::engine {
namespace {

// Sets a variable and puts the old value back.
class ScopedVariable {
  public:
    ScopedVariable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        ::setenv(name, value, 1);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;
    ~ScopedVariable() {
        if (old_) {
            ::setenv(name_, old_->c_str(), 1);
        } else {
            ::unsetenv(name_);
        }
    }

  private:
    const char* name_;
    std::optional<std::string> old_;
};

TEST(FindEngine, NamesAreLookedUpInPath) {
    const ScopedVariable path("PATH", "/nonexistent:/bin:/usr/bin");
    const auto found = find_engine("sh");
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, "/bin/sh");
}

TEST(FindEngine, UnknownNameSaysWhereItLooked) {
    const auto found = find_engine("no-such-engine-anywhere");
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("/usr/games"), std::string::npos);
}

TEST(FindEngine, AFolderIsNotAProgram) { EXPECT_FALSE(find_engine("/usr/bin")); }

TEST(FindEngine, TheVariableWins) {
    const ScopedVariable chosen("SOLIS_STOCKFISH", "/bin/sh");
    EXPECT_EQ(*find_stockfish(), "/bin/sh");
}

TEST(FindEngine, AWrongVariableIsAnErrorThatNamesIt) {
    const ScopedVariable chosen("SOLIS_STOCKFISH", "/no/such/stockfish");
    const auto found = find_stockfish();
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("SOLIS_STOCKFISH"), std::string::npos);
}

}  // namespace
}  // namespace solis::engine
