// Addresses of pages. They are in the fragment, so that the server needs to know none of them:
// #/clusterqueues/research?offset=100. Segments and parameters are percent-encoded.

export interface Route {
  path: string[];
  query: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, "");
  const mark = text.indexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1));
  return {
    path: path
      .split("/")
      .filter((s) => s !== "")
      .map(decodeSegment),
    query: Object.fromEntries(query),
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export type Query = Record<string, string | number | undefined>;

function encodeQuery(query: Query): string {
  const pairs = Object.entries(query).filter(([, v]) => v !== undefined && v !== "" && v !== 0);
  const text = new URLSearchParams(pairs.map(([k, v]) => [k, String(v)])).toString();
  return text && `?${text}`;
}

export function href(path: string[], query: Query = {}): string {
  return `#/${path.map(encodeURIComponent).join("/")}${encodeQuery(query)}`;
}

// An address below /api/v1; empty parameters and zero are left out.
export function apiPath(path: string[], query: Query = {}): string {
  return `${path.map(encodeURIComponent).join("/")}${encodeQuery(query)}`;
}

export const pages = {
  overview: () => href([]),
  queues: (query: Query = {}) => href(["queues"], query),
  node: (kind: "Cohort" | "ClusterQueue", name: string) =>
    href([kind === "Cohort" ? "cohorts" : "clusterqueues", name]),
  localQueue: (namespace: string, name: string) => href(["localqueues", namespace, name]),
  workloads: (query: Query = {}) => href(["workloads"], query),
  workload: (namespace: string, name: string) => href(["workloads", namespace, name]),
  flavors: () => href(["flavors"]),
  flavor: (name: string) => href(["flavors", name]),
  whatIf: (kind?: string, name?: string, query: Query = {}) =>
    href(["what-if", ...(kind && name ? [kind, name] : [])], query),
};

// `NAMESPACE/NAME` as it appears in explanations and plans.
export function workloadHref(key: string): string | undefined {
  const slash = key.indexOf("/");
  return slash > 0 ? pages.workload(key.slice(0, slash), key.slice(slash + 1)) : undefined;
}
