// Times and durations in the style of kubectl: the two largest units.

const kUnits: [string, number][] = [
  ["d", 86400],
  ["h", 3600],
  ["m", 60],
  ["s", 1],
];

export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = kUnits.findIndex(([, size]) => whole >= size);
  if (first < 0) return "0s";
  const [name, size] = kUnits[first]!;
  const text = `${Math.floor(whole / size)}${name}`;
  const next = kUnits[first + 1];
  const rest = next ? Math.floor((whole % size) / next[1]) : 0;
  return next && rest > 0 && whole < size * 10 ? `${text}${rest}${next[0]}` : text;
}

export function formatAgo(time: string, now: number): string {
  const seconds = (now - Date.parse(time)) / 1000;
  if (Number.isNaN(seconds)) return time;
  return seconds >= 0 ? `${formatDuration(seconds)} ago` : `in ${formatDuration(-seconds)}`;
}

// Local time with its offset, for titles.
export function formatAbsolute(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return date.toLocaleString("en-GB", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
}

// "2026-03-02T03:14:05": local time, as fields of dates want it.
export function localSecond(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60000);
  return local.toISOString().slice(0, 19);
}
