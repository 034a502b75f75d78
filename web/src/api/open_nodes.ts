// Which nodes of the tree are open, while the tab is open; undefined before the
// first choice.

import { Store } from "../model/store";

const kKey = "berth-open-nodes";

function stored(): ReadonlySet<string> | undefined {
  const text = sessionStorage.getItem(kKey);
  return text === null ? undefined : new Set(text.split("\n"));
}

export const openNodes = new Store<ReadonlySet<string> | undefined>(stored());

openNodes.subscribe(() => sessionStorage.setItem(kKey, [...(openNodes.get() ?? [])].join("\n")));
