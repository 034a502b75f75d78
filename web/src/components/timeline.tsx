import type { TimelineEvent } from "../api/types";
import { formatAbsolute, formatDuration } from "../model/time";
import { Ago } from "./time";
import { Empty } from "./query_state";

function toneOf(event: TimelineEvent): string {
  if (event.status === "False" || event.type === "Pending") return "wait";
  if (["Evicted", "Preempted", "Preempting"].includes(event.type)) return "bad";
  return event.type === "Admitted" || event.type === "QuotaReserved" ? "good" : "other";
}

function gapBefore(events: readonly TimelineEvent[], i: number): string | undefined {
  const earlier = events[i - 1];
  const event = events[i];
  if (!earlier || !event) return undefined;
  const seconds = (Date.parse(event.time) - Date.parse(earlier.time)) / 1000;
  return seconds >= 1 ? formatDuration(seconds) : undefined;
}

// The life of a workload, oldest first, with the time between its steps.
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  if (events.length === 0) return <Empty>No condition has been set yet.</Empty>;
  return (
    <ol class="timeline">
      {events.map((event, i) => (
        <li key={`${event.time} ${event.type} ${i}`} class={toneOf(event)}>
          <span class="when" title={formatAbsolute(event.time)}>
            <Ago time={event.time} />
            {gapBefore(events, i) && <span class="gap">after {gapBefore(events, i)}</span>}
          </span>
          <div class="what">
            <strong>{event.type}</strong>
            {event.status === "False" && <span class="quiet"> is False</span>}
            {event.reason && event.reason !== event.type && <code>{event.reason}</code>}
            {event.message && <p>{event.message}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
