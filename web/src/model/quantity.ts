// Quantities of Kubernetes, such as 500m, 32Gi or 1e3, as numbers in base units.

const kSuffixes: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const kPattern = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/;

// Undefined for other text, such as "unlimited".
export function parseQuantity(text: string): number | undefined {
  const match = kPattern.exec(text.trim());
  const factor = match && kSuffixes[match[2] ?? ""];
  return match && factor !== undefined && factor !== null ? Number(match[1]) * factor : undefined;
}
