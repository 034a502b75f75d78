import { useEffect, useState } from "preact/hooks";
import type { Store } from "../model/store";

// The present value of a store; the component is rendered again when it changes.
export function useStore<T>(store: Store<T>): T {
  const [, setCount] = useState(0);
  useEffect(() => store.subscribe(() => setCount((n) => n + 1)), [store]);
  return store.get();
}
