// Layers that are stacked on each other, the first one at the bottom.

export interface Layer {
  name: string;
  values: number[];
}

// The upper edge of every layer.
export function edgesOf(layers: readonly Layer[]): number[][] {
  let below: number[] = [];
  return layers.map((layer) => (below = layer.values.map((value, i) => value + (below[i] ?? 0))));
}

// The layer that holds a height at a moment; -1 above all.
export function layerAt(edges: readonly (readonly number[])[], moment: number, height: number): number {
  if (height < 0) return -1;
  return edges.findIndex((edge) => height < (edge[moment] ?? 0));
}

// Those with a part of their name; all without a text.
export function namesWith(names: readonly string[], text: string): Set<string> {
  const wanted = text.trim().toLowerCase();
  return new Set(names.filter((name) => name.toLowerCase().includes(wanted)));
}

// The fill of a layer. Neighbours differ in hue and lightness, and thirty layers have thirty colors.
export function layerColor(index: number, isDark: boolean): string {
  const hue = Math.round((212 + index * 137.5) % 360);
  const lightness = (isDark ? 48 : 46) + (index % 3) * (isDark ? 8 : 9);
  return `hsl(${hue} 46% ${lightness}%)`;
}
