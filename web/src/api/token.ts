// The bearer token. It is kept while the tab is open, and never appears in an address
// that is sent to a server.

import { Store } from "../model/store";

const kKey = "berth-token";

export const token = new Store<string>(sessionStorage.getItem(kKey) ?? "");

token.subscribe(() => {
  if (token.get()) sessionStorage.setItem(kKey, token.get());
  else sessionStorage.removeItem(kKey);
});

// Moves `#token=…` out of the address bar, as `berth up` prints it.
export function takeTokenFromAddress(): void {
  const match = /^#token=([^&]*)(?:&(.*))?$/.exec(location.hash);
  if (!match) return;
  token.set(decodeURIComponent(match[1] ?? ""));
  history.replaceState(null, "", `${location.pathname}#/${(match[2] ?? "").replace(/^\//, "")}`);
}
