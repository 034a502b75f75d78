import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { getJson } from "../api/client";

interface Props<T> {
  path: string;
  first: string; // of the button
  again: string;
  busy: string;
  children: (answer: T) => ComponentChildren;
}

// An answer that takes the server some time, so that it is asked for by a button. It is dropped
// when the path changes.
export function OnDemand<T>({ path, first, again, busy, children }: Props<T>) {
  const [answer, setAnswer] = useState<T>();
  const [message, setMessage] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => (setAnswer(undefined), setMessage(undefined)), [path]);
  const run = async () => {
    setBusy(true);
    setMessage(undefined);
    try {
      setAnswer(await getJson<T>(path));
    } catch (error) {
      setAnswer(undefined);
      setMessage((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <div class="on-demand">
      <button type="button" disabled={isBusy} onClick={() => void run()}>
        {isBusy ? busy : answer !== undefined ? again : first}
      </button>
      <div role="status">
        {message && <p class="notice">{message}</p>}
        {answer !== undefined && children(answer)}
      </div>
    </div>
  );
}
