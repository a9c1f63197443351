// Failure as a value: Result<T> is T or an Error that says what failed and how to fix it.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace solis {

struct Error {
    std::string message;  // what failed, on which input
    std::string hint;     // what to do about it; may be empty
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::string message, std::string hint = {}) {
    return tl::unexpected<Error>(Error{std::move(message), std::move(hint)});
}

// Passes the failure of an inner call on, with the context the inner call could not know.
[[nodiscard]] inline tl::unexpected<Error> fail_in(std::string_view context, const Error& inner) {
    return fail(std::string(context).append(": ").append(inner.message), inner.hint);
}

}  // namespace solis
