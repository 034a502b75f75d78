import { clock } from "../api/clock";
import { staleSince } from "../api/updates";
import { useStore } from "../api/use_store";
import { formatAbsolute, formatDuration } from "../model/time";

// Whether the page is up to date, and if not, since when.
export function Connection() {
  const since = useStore(staleSince);
  const now = useStore(clock);
  if (since === undefined)
    return (
      <span class="connection" role="status">
        <i aria-hidden="true" />
        Live
      </span>
    );
  const time = new Date(since).toLocaleTimeString("en-GB");
  return (
    <span class="connection stale" role="status" title={formatAbsolute(new Date(since).toISOString())}>
      <i aria-hidden="true" />
      Stale since {time} ({formatDuration((now - since) / 1000)})
    </span>
  );
}
