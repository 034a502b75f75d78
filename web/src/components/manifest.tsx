import { useEffect, useState } from "preact/hooks";
import { getText } from "../api/client";

// The YAML of an object, loaded when it is opened.
export function Manifest({ path, revision }: { path: string; revision: string }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState<string>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = new AbortController();
    getText(path, stop.signal).then(
      (yaml) => (setText(yaml), setError(undefined)),
      (e: Error) => stop.signal.aborted || setError(e.message),
    );
    return () => stop.abort();
  }, [path, isOpen, revision]);
  return (
    <details class="manifest" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>YAML</summary>
      {error && (
        <p class="notice bad" role="alert">
          {error}
        </p>
      )}
      {text !== undefined && (
        <>
          <button type="button" onClick={() => void navigator.clipboard?.writeText(text)}>
            Copy
          </button>
          <pre tabIndex={0} aria-label="YAML">
            {text}
          </pre>
        </>
      )}
    </details>
  );
}
