import { clock } from "../api/clock";
import { useStore } from "../api/use_store";
import { formatAbsolute, formatAgo, formatDuration } from "../model/time";

// "3m12s ago", with the absolute time in the title.
export function Ago({ time }: { time: string | undefined }) {
  const now = useStore(clock);
  if (!time) return <>-</>;
  return (
    <time dateTime={time} title={formatAbsolute(time)}>
      {formatAgo(time, now)}
    </time>
  );
}

// "3m12s": the age of something.
export function Age({ time }: { time: string | undefined }) {
  const now = useStore(clock);
  if (!time) return <>-</>;
  return (
    <time dateTime={time} title={formatAbsolute(time)}>
      {formatDuration((now - Date.parse(time)) / 1000)}
    </time>
  );
}
