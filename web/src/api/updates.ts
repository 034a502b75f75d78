// The stream of changes. While it is connected, pages are as fresh as the server; while it is not,
// they show since when they are stale.

import { backoffMs } from "../model/backoff";
import { EventStreamParser, type ServerEvent } from "../model/sse";
import { Store } from "../model/store";
import { authorization, kBase } from "./client";
import { expireSession } from "./session";

const kReconnectMs = 200;

// The server sends a comment every 15 s.
const kSilenceMs = 40000;

// Goes up with every change that pages should show.
export const changes = new Store(0);
// When the connection was lost, in milliseconds; undefined while it is there.
export const staleSince = new Store<number | undefined>(undefined);

export function followUpdates(): () => void {
  const stop = new AbortController();
  void follow(stop.signal);
  const stopWatching = announceWhenVisible();
  return () => {
    stop.abort();
    stopWatching();
    staleSince.set(undefined);
  };
}

async function follow(stop: AbortSignal): Promise<void> {
  let failures = 0;
  let lostAt = Date.now();
  while (!stop.aborted) {
    if (await readStream(stop)) {
      // The server ends long streams; the page is stale if the next one cannot be had.
      failures = 0;
      lostAt = Date.now();
      await pause(kReconnectMs, stop);
      continue;
    }
    if (stop.aborted) return;
    staleSince.set(staleSince.get() ?? lostAt);
    await pause(backoffMs(failures, Math.random()), stop);
    failures += 1;
  }
}

// Reads until the stream ends. True if it began.
async function readStream(stop: AbortSignal): Promise<boolean> {
  const silence = new Silence();
  const signal = AbortSignal.any([stop, silence.signal]);
  let isConnected = false;
  try {
    const headers = { ...authorization(), Accept: "text/event-stream" };
    const response = await fetch(`${kBase}updates`, { headers, signal, cache: "no-store" });
    if (response.status === 401) expireSession();
    if (!response.ok || !response.body) return false;
    isConnected = true;
    staleSince.set(undefined);
    await readEvents(response.body, silence);
  } catch {
    // The stream broke or was stopped; the caller connects again.
  } finally {
    silence.end();
  }
  return isConnected;
}

// The revision that was announced last. The server names the present one when a stream begins.
let revision = "";

function revisionOf(event: ServerEvent): string | undefined {
  if (event.event !== "change") return undefined;
  return (JSON.parse(event.data) as { revision: string }).revision;
}

async function readEvents(body: ReadableStream<Uint8Array>, silence: Silence): Promise<void> {
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    silence.restart();
    const events = parser.push(decoder.decode(value, { stream: true }));
    for (const next of events.map(revisionOf)) {
      if (next === undefined || next === revision) continue;
      revision = next;
      announce();
    }
  }
}

let isAnnouncementDue = false;

// A hidden page does not load anything; it catches up when it is shown.
function announce(): void {
  if (document.hidden) isAnnouncementDue = true;
  else changes.set(changes.get() + 1);
}

function announceWhenVisible(): () => void {
  const listener = () => {
    if (document.hidden || !isAnnouncementDue) return;
    isAnnouncementDue = false;
    announce();
  };
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

// Aborts a connection on which nothing arrives any more.
class Silence {
  private readonly controller = new AbortController();
  private timer = this.start();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    clearTimeout(this.timer);
    this.timer = this.start();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.controller.abort(), kSilenceMs);
  }
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
