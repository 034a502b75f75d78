// Delay before the next attempt to connect: doubles from 1 s to 30 s. `spread` in [0, 1) takes off
// up to half of it, so that many pages do not return at the same moment.

const kFirstMs = 1000;
const kMostMs = 30000;

export function backoffMs(failures: number, spread: number): number {
  const delay = Math.min(kMostMs, kFirstMs * 2 ** Math.min(failures, 10));
  return Math.round(delay * (1 - spread / 2));
}
