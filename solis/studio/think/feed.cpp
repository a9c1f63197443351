// Latest wins.
#include "solis/studio/think/feed.h"

#include <algorithm>

namespace solis::studio {

void Feed::put_info(const planner::Info& info) {
    const std::lock_guard lock(mutex_);
    const auto rank = static_cast<std::size_t>(std::max(info.multipv, 1));
    if (infos_.size() < rank) infos_.resize(rank, info);
    infos_[rank - 1] = info;
    new_infos_ = true;
    changed_.notify_one();
}

void Feed::put_current(const CurrentMove& current) {
    const std::lock_guard lock(mutex_);
    news_.current = current;
    changed_.notify_one();
}

void Feed::put_node(const planner::BeamNode& node) {
    const std::lock_guard lock(mutex_);
    if (node.id > kMostNodes) {
        news_.tree_truncated = news_.tree_truncated || !truncated_;
        truncated_ = true;
        return;
    }
    news_.nodes.push_back(node);
    changed_.notify_one();
}

void Feed::put_value(const planner::BeamValue& value) {
    if (value.id > kMostNodes) return;
    const std::lock_guard lock(mutex_);
    planner::BeamValue& known = values_[value.id];
    known = value;
    if (known.best > kMostNodes) known.best = 0;
    changed_.notify_one();
}

void Feed::put_event(std::string name, std::string json, bool replaces) {
    const std::lock_guard lock(mutex_);
    if (replaces) std::erase_if(news_.events, [&](const auto& e) { return e.first == name; });
    news_.events.emplace_back(std::move(name), std::move(json));
    changed_.notify_one();
}

void Feed::restart_infos() {
    const std::lock_guard lock(mutex_);
    infos_.clear();
    new_infos_ = false;
}

void Feed::finish() {
    const std::lock_guard lock(mutex_);
    news_.finished = true;
    changed_.notify_one();
}

bool Feed::has_news() const {
    return !news_.events.empty() || new_infos_ || news_.current || !news_.nodes.empty() ||
           !values_.empty() || news_.finished;
}

News Feed::wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [this] { return has_news(); });
    News news = std::exchange(news_, {});
    if (std::exchange(new_infos_, false)) news.infos = infos_;
    for (const auto& [id, value] : values_) news.values.push_back(value);
    values_.clear();
    news_.finished = news.finished;
    return news;
}

}  // namespace solis::studio
