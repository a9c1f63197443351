// A net file as a teacher: ready for use, shared by all threads.
#pragma once
#include <memory>
#include <string>

#include "solis/base/result.h"
#include "solis/nn/nnue/net.h"

namespace solis::model {

struct TeacherNet {
    nn::NnueNet net;
    std::string name;  // tells one net from another, whatever its file is called
};

// Fails on everything but a net of Stockfish 15.1's architecture.
[[nodiscard]] Result<std::shared_ptr<const TeacherNet>> load_teacher_net(const std::string& path);

}  // namespace solis::model
