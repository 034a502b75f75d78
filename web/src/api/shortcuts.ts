// Keys that work on every page. They are ignored while a field has the focus.

import { pages } from "../model/route";
import { visit } from "./location";

const kPages: Record<string, () => string> = {
  o: pages.overview,
  q: pages.queues,
  w: pages.workloads,
  f: pages.flavors,
  i: pages.whatIf,
};

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
}

export function followShortcuts(onHelp: () => void): () => void {
  let isGoing = false;
  const listener = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const page = isGoing ? kPages[event.key] : undefined;
    isGoing = event.key === "g";
    if (page) visit(page());
    else if (event.key === "/") document.getElementById("search")?.focus();
    else if (event.key === "?") onHelp();
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", listener);
  return () => removeEventListener("keydown", listener);
}
