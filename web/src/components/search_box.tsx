import { useEffect, useRef, useState } from "preact/hooks";
import { visit } from "../api/location";
import type { Flavor, FlavorList, Tree, WorkloadList } from "../api/types";
import { getJson } from "../api/client";
import { searchObjects, type Hit } from "../model/search";
import { apiPath, pages } from "../model/route";

const kPauseMs = 150;
const kWorkloads = 8;

// Searches queues, cohorts, flavors and workloads by a part of their name.
export function SearchBox() {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const hits = useHits(text);
  const leave = () => {
    setText("");
    input.current?.blur();
  };
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    visit(hit.href);
    setOpen(false);
    leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(hits.length - 1, active + 1));
    else if (event.key === "ArrowUp") setActive(Math.max(0, active - 1));
    else if (event.key === "Enter") go(hits[active]);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  };
  const isShown = isOpen && text.trim() !== "";
  return (
    <search class="search">
      <input
        ref={input}
        id="search"
        type="search"
        role="combobox"
        aria-label="Search"
        aria-expanded={isShown}
        aria-controls="search-hits"
        aria-autocomplete="list"
        aria-activedescendant={isShown && hits[active] ? `hit-${active}` : undefined}
        placeholder="Search  /"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(e) => (setText(e.currentTarget.value), setActive(0), setOpen(true))}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={onKeyDown}
      />
      <ul id="search-hits" role="listbox" aria-label="Search results" hidden={!isShown}>
        {hits.map((hit, i) => (
          <li
            key={hit.href}
            id={`hit-${i}`}
            role="option"
            aria-selected={i === active}
            onMouseDown={(e) => (e.preventDefault(), go(hit))}
          >
            <span class="hit-kind">{hit.kind}</span>
            <span>{hit.text}</span>
          </li>
        ))}
        {isShown && hits.length === 0 && (
          <li role="option" aria-selected={false} aria-disabled="true">
            No object with this name
          </li>
        )}
      </ul>
    </search>
  );
}

interface Found {
  text: string;
  tree?: Tree;
  flavors?: Flavor[];
  workloads?: WorkloadList;
}

function useHits(text: string): Hit[] {
  const [found, setFound] = useState<Found>({ text: "" });
  const wanted = text.trim();
  useEffect(() => {
    if (!wanted) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      find(wanted, stop.signal).then(setFound, () => undefined);
    }, kPauseMs);
    return () => (clearTimeout(timer), stop.abort());
  }, [wanted]);
  if (!wanted) return [];
  const objects = searchObjects(found.tree ?? { roots: [] }, found.flavors ?? [], wanted);
  const workloads = (found.workloads?.items ?? []).map((w) => ({
    kind: "Workload",
    text: `${w.namespace}/${w.name}`,
    href: pages.workload(w.namespace, w.name),
  }));
  return [...objects, ...workloads];
}

async function find(text: string, signal: AbortSignal): Promise<Found> {
  const [tree, flavors, workloads] = await Promise.all([
    getJson<Tree>("tree", signal),
    getJson<FlavorList>("flavors", signal),
    getJson<WorkloadList>(apiPath(["workloads"], { q: text, limit: kWorkloads }), signal),
  ]);
  return { text, tree, flavors: flavors.items, workloads };
}
