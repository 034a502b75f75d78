#pragma once

namespace berth::cli {

// From now on SIGINT and SIGTERM ask this process to stop. The second one ends it at once: whatever
// is still under way need not be waited for.
void CatchStopSignals();
bool IsStopAsked();

}  // namespace berth::cli
