// Threads that are welcome but not needed: the system may have none left, or no memory for another.
#pragma once
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace solis {

// Adds a thread that runs `work`; false, and nothing is added, where it cannot be started. Without
// the check a failure would end the program, because it finds the threads before it unjoined.
template <typename Work>
[[nodiscard]] bool start_thread(std::vector<std::thread>& threads, Work&& work) {
    try {
        threads.emplace_back(std::forward<Work>(work));
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace solis
