// Edits of a ClusterQueue or Cohort manifest as text, so that its other lines stay as they are.

// Of a cohort that is only named by its members.
export function newCohort(name: string): string {
  return `apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata:\n  name: ${name}\nspec: {}\n`;
}

export interface QuotaEdit {
  flavor: string;
  resource: string;
  field: string; // nominalQuota, borrowingLimit or lendingLimit
  value: string;
}

interface Line {
  indent: number; // of the key, also behind "- "
  isItem: boolean;
  key: string;
  value: string;
}

function readLine(text: string): Line | undefined {
  const match = /^(\s*)(- )?([A-Za-z]+):(?:\s+(.*?))?\s*$/.exec(text);
  if (!match) return undefined;
  return {
    indent: (match[1] ?? "").length + (match[2] ?? "").length,
    isItem: match[2] !== undefined,
    key: match[3] ?? "",
    value: (match[4] ?? "").replace(/^["']|["']$/g, ""),
  };
}

// The list item around line `at`: from its "- " to the line before the next item or a shallower one.
function itemAround(lines: readonly (Line | undefined)[], at: number): [number, number] {
  const indent = lines[at]!.indent;
  let first = at;
  while (first > 0 && !(lines[first]?.indent === indent && lines[first]?.isItem)) first -= 1;
  let end = at + 1;
  const ends = (l: Line | undefined) =>
    l !== undefined && (l.indent < indent || (l.indent === indent && l.isItem));
  while (end < lines.length && !ends(lines[end])) end += 1;
  return [first, end];
}

// Undefined if the manifest has no such quota.
export function editQuota(manifest: string, edit: QuotaEdit): string | undefined {
  const texts = manifest.split("\n");
  const lines = texts.map(readLine);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line?.key !== "name" || line.value !== edit.flavor) continue;
    const [first, end] = itemAround(lines, at);
    const name = lines.findIndex(
      (l, i) =>
        i >= first && i < end && l?.key === "name" && l.value === edit.resource && l.indent > line.indent,
    );
    if (name < 0) continue;
    return replaceField(texts, lines, name, edit);
  }
  return undefined;
}

function replaceField(
  texts: readonly string[],
  lines: readonly (Line | undefined)[],
  name: number,
  edit: QuotaEdit,
): string {
  const [first, end] = itemAround(lines, name);
  const indent = lines[name]!.indent;
  const field = lines.findIndex(
    (l, i) => i >= first && i < end && l?.key === edit.field && l.indent === indent,
  );
  const result = [...texts];
  if (field >= 0) {
    result[field] = texts[field]!.replace(/:.*$/, `: ${edit.value}`);
  } else {
    result.splice(name + 1, 0, `${" ".repeat(indent)}${edit.field}: ${edit.value}`);
  }
  return result.join("\n");
}

// Set by the server; of no use in a change.
const kServerFields = ["uid", "resourceVersion", "generation", "creationTimestamp", "finalizers", "selfLink"];

// The manifest without its status and without metadata that the server sets.
export function editableManifest(manifest: string): string {
  let parent = "";
  let droppedIndent: number | undefined;
  const isBelow = (text: string, indent: number) =>
    /^\s*$/.test(text) || text.search(/\S/) > indent || (text.search(/\S/) === indent && /^\s*- /.test(text));
  const kept = manifest.split("\n").filter((text) => {
    if (droppedIndent !== undefined && text !== "" && isBelow(text, droppedIndent)) return false;
    droppedIndent = undefined;
    const line = readLine(text);
    if (line?.indent === 0) parent = line.key;
    const isDropped =
      (line?.indent === 0 && line.key === "status") ||
      (line?.indent === 2 && parent === "metadata" && kServerFields.includes(line.key));
    if (isDropped) droppedIndent = line?.indent;
    return !isDropped;
  });
  return kept.join("\n");
}
