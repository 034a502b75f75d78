import { useEffect, useState } from "preact/hooks";
import { ApiError, getJson } from "./client";
import { expireSession } from "./session";
import { changes } from "./updates";

export interface Query<T> {
  data: T | undefined;
  error: ApiError | undefined;
  isLoading: boolean; // the data, if any, answers an earlier address
}

interface State<T> {
  path: string | undefined;
  data?: T;
  error?: ApiError;
}

// At most one request at a time, and one in this time; long answers take a longer pause.
const kPauseMs = 400;

// The answer to a GET below /api/v1, loaded again after each change. Data is kept while another
// page of the same list is loading. Without a path nothing is loaded.
export function useQuery<T>(path: string | undefined, pauseMs = kPauseMs): Query<T> {
  const [state, setState] = useState<State<T>>({ path: undefined });
  useEffect(() => {
    if (path === undefined) return undefined;
    const loader = new Loader<T>(path, pauseMs, (answer) =>
      setState((old) => ({ path, data: answer.error ? dataFor(path, old) : undefined, ...answer })),
    );
    loader.load();
    const unsubscribe = changes.subscribe(() => loader.load());
    return () => {
      unsubscribe();
      loader.stop();
    };
  }, [path, pauseMs]);
  return {
    data: path === undefined ? undefined : dataFor(path, state),
    error: state.path === path ? state.error : undefined,
    isLoading: state.path !== path,
  };
}

function dataFor<T>(path: string, state: State<T>): T | undefined {
  return listOf(state.path) === listOf(path) ? state.data : undefined;
}

function listOf(path: string | undefined): string | undefined {
  return path?.split("?")[0];
}

class Loader<T> {
  private readonly stopped = new AbortController();
  private isBusy = false;
  private isStale = false;

  constructor(
    private readonly path: string,
    private readonly pauseMs: number,
    private readonly report: (answer: { data?: T; error?: ApiError }) => void,
  ) {}

  stop(): void {
    this.stopped.abort();
  }

  load(): void {
    this.isStale = true;
    if (!this.isBusy) void this.run();
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    while (this.isStale && !this.stopped.signal.aborted) {
      this.isStale = false;
      await this.loadOnce();
      await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
    }
    this.isBusy = false;
  }

  private async loadOnce(): Promise<void> {
    try {
      const data = await getJson<T>(this.path, this.stopped.signal);
      if (!this.stopped.signal.aborted) this.report({ data });
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      const known = error instanceof ApiError ? error : new ApiError(0, (error as Error).message);
      if (known.status === 401) expireSession();
      this.report({ error: known });
    }
  }
}
