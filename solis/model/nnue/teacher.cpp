// Judges that search with a shared net.
#include "solis/model/nnue/teacher.h"

#include "solis/model/nnue/teacher_search.h"

namespace solis::model {
namespace {

class NnueJudge final : public data::Judge {
  public:
    explicit NnueJudge(std::shared_ptr<const TeacherNet> net)
        : net_(std::move(net)), search_(net_->net, TeacherDepth::Quiescence) {}

    data::Score judge(const chess::Position& position) override {
        return search_.judge(position).score;
    }

  private:
    std::shared_ptr<const TeacherNet> net_;
    TeacherSearch search_;
};

class NnueTeacher final : public data::Teacher {
  public:
    explicit NnueTeacher(std::shared_ptr<const TeacherNet> net) : net_(std::move(net)) {}

    std::unique_ptr<data::Judge> make_judge() const override {
        return std::make_unique<NnueJudge>(net_);
    }
    std::uint64_t fingerprint() const override { return net_->fingerprint; }

  private:
    std::shared_ptr<const TeacherNet> net_;
};

}  // namespace

std::shared_ptr<const data::Teacher> make_teacher(std::shared_ptr<const TeacherNet> net) {
    return std::make_shared<const NnueTeacher>(std::move(net));
}

}  // namespace solis::model
