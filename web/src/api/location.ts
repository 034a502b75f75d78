import { Store } from "../model/store";
import { href, parseRoute, type Query } from "../model/route";

export const route = new Store(parseRoute(location.hash));

export function readLocation(): void {
  route.set(parseRoute(location.hash));
}

addEventListener("hashchange", readLocation);

// Changes parameters of the present page without a new entry in the history.
export function replaceQuery(change: Query): void {
  const { path, query } = route.get();
  history.replaceState(null, "", href(path, { ...query, ...change }));
  readLocation();
}

export function visit(address: string): void {
  location.hash = address;
}
