// The commit that the command was built from.
#pragma once

namespace solis::cli {

// "3f2a91c04b7e", with "-dirty" where files were changed since, or "unknown". Defined in a file
// that the build writes (cmake/WriteCommit.cmake).
[[nodiscard]] const char* commit();

}  // namespace solis::cli
