import { readFileSync } from "node:fs";

// The licenses of what a bundle contains, as they demand: a comment at its end.
export const kLicenses = `/*!\n${["preact", "uplot"]
  .map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`)
  .join("\n\n\n")}\n*/`;
