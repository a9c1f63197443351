// A net file as a teacher: ready for use, shared by all threads.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "solis/base/result.h"
#include "solis/nn/nnue/net.h"

namespace solis::model {

struct TeacherNet {
    nn::NnueNet net;
    std::string name;               // tells one net from another, whatever its file is called
    std::uint64_t fingerprint = 1;  // so does this number; not 0
};

// Fails on everything but a net of Stockfish 15.1's architecture.
[[nodiscard]] Result<std::shared_ptr<const TeacherNet>> load_teacher_net(const std::string& path);

}  // namespace solis::model
