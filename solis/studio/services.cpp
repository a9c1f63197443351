// Reviews that are kept for a while.
#include "solis/studio/services.h"

#include <algorithm>

namespace solis::studio {

void ReviewShelf::keep(std::shared_ptr<const KeptReview> review) {
    const std::lock_guard lock(mutex_);
    reviews_.push_front(std::move(review));
    if (reviews_.size() > most_) reviews_.pop_back();
}

std::shared_ptr<const KeptReview> ReviewShelf::find(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(reviews_.begin(), reviews_.end(),
                                    [&](const auto& review) { return review->id == id; });
    return found == reviews_.end() ? nullptr : *found;
}

}  // namespace solis::studio
