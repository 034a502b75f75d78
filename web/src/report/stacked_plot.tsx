import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { TextField } from "../components/text_field";
import { formatAmount, formatNumber, unitOf } from "../model/amount";
import { edgesOf, layerAt, layerColor, namesWith, type Layer } from "../model/stack";
import { formatDuration } from "../model/time";

// As `berth simulate --html` writes it.
export interface StackedData {
  title: string;
  resource?: string; // whose unit the values have; counts without it
  most: number; // of the axis, which two worlds share
  times: number[]; // seconds
  layers: Layer[]; // the largest first
  line?: Layer; // the quota
}

interface Props {
  data: StackedData;
  isDark: boolean;
}

interface Pointed {
  time: number;
  lines: [string, string][];
}

const kHeight = 240;
// Seconds between ticks.
const kTimeSteps = [
  1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 28800, 86400, 172800, 604800, 2592000,
  31536000,
];
// Bytes between ticks.
const kByteSteps = Array.from({ length: 60 }, (_, i) => 2 ** i);
// Fewer need no filter.
const kFewLayers = 6;

// Layers over time. Drag selects a range, a double click shows all. The pointer tells the value of a
// layer. The legend switches layers; its filter leaves those with a name.
export function StackedPlot({ data, isDark }: Props) {
  const [filter, setFilter] = useState("");
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [pointed, setPointed] = useState<Pointed>();
  const names = useMemo(() => data.layers.map((layer) => layer.name), [data]);
  const listed = useMemo(() => namesWith(names, filter), [names, filter]);
  const shown = useMemo(
    () => data.layers.filter((layer) => listed.has(layer.name) && !hidden.has(layer.name)),
    [data, listed, hidden],
  );
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const allHidden = listed.size > 0 && shown.length === 0;
  return (
    <section class="stacked" aria-label={data.title}>
      <h3>{data.title}</h3>
      <Canvas data={data} shown={shown} isDark={isDark} onPointed={setPointed} />
      <p class="pointed" aria-hidden="true">
        {pointed ? (
          <>
            <span>{formatDuration(pointed.time)}</span>
            {pointed.lines.map(([name, value]) => (
              <span key={name}>
                {name} <strong>{value}</strong>
              </span>
            ))}
          </>
        ) : (
          <span>Drag to zoom, double-click to see all. Point at a layer for its value.</span>
        )}
      </p>
      <div class="legend-head">
        {names.length > kFewLayers && (
          <TextField label="ClusterQueues" value={filter} placeholder="Name" onValue={setFilter} />
        )}
        {names.length > 1 && (
          <button
            type="button"
            onClick={() => setHidden(allHidden ? new Set() : new Set([...hidden, ...listed]))}
          >
            {allHidden ? "Show all" : "Hide all"}
          </button>
        )}
      </div>
      <ul class="legend">
        {data.layers.map((layer, i) =>
          listed.has(layer.name) ? (
            <li key={layer.name}>
              <button type="button" aria-pressed={!hidden.has(layer.name)} onClick={() => toggle(layer.name)}>
                <i style={{ background: layerColor(i, isDark) }} />
                {layer.name}
              </button>
            </li>
          ) : null,
        )}
        {data.line && (
          <li class="line-name">
            <i />
            {data.line.name}
          </li>
        )}
      </ul>
    </section>
  );
}

interface CanvasProps extends Props {
  shown: Layer[];
  onPointed: (pointed: Pointed | undefined) => void;
}

function Canvas({ data, shown, isDark, onPointed }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const range = useRef<[number, number]>();
  useEffect(() => {
    const element = box.current!;
    const edges = edgesOf(shown);
    const lines = data.line ? [data.line.values] : [];
    const point = (plot: uPlot) => onPointed(pointedAt(plot, data, shown, edges));
    const columns = [data.times, ...edges, ...lines] as uPlot.AlignedData;
    const made = new uPlot(options(data, shown, isDark, element.clientWidth, point), columns, element);
    if (range.current) made.setScale("x", { min: range.current[0], max: range.current[1] });
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: kHeight }));
    observer.observe(element);
    return () => {
      range.current = [made.scales.x!.min!, made.scales.x!.max!];
      observer.disconnect();
      made.destroy();
    };
  }, [data, shown, isDark, onPointed]);
  return <div class="canvas" ref={box} />;
}

function valueText(data: StackedData, value: number): string {
  return data.resource === undefined ? formatNumber(value) : formatAmount(data.resource, value);
}

function pointedAt(
  plot: uPlot,
  data: StackedData,
  shown: readonly Layer[],
  edges: readonly (readonly number[])[],
): Pointed | undefined {
  const { idx, top } = plot.cursor;
  if (idx === null || idx === undefined || top === undefined || top < 0) return undefined;
  const layer = shown[layerAt(edges, idx, plot.posToVal(top, "y"))];
  const total = edges[edges.length - 1]?.[idx];
  const lines: [string, string][] = [];
  if (layer) lines.push([layer.name, valueText(data, layer.values[idx] ?? 0)]);
  if (total !== undefined) lines.push(["sum", valueText(data, total)]);
  if (data.line) lines.push([data.line.name, valueText(data, data.line.values[idx] ?? 0)]);
  return { time: data.times[idx] ?? 0, lines };
}

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function options(
  data: StackedData,
  shown: readonly Layer[],
  isDark: boolean,
  width: number,
  onPoint: (plot: uPlot) => void,
): uPlot.Options {
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui, sans-serif",
  };
  const isBytes = data.resource !== undefined && unitOf(data.resource) === "bytes";
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const indexOf = (layer: Layer) => data.layers.indexOf(layer);
  return {
    width,
    height: kHeight,
    legend: { show: false },
    cursor: { drag: { x: true, y: false }, points: { show: false } },
    scales: { x: { time: false }, y: { range: [0, data.most > 0 ? data.most : 1] } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map(formatDuration), incrs: kTimeSteps, space: 70, size: 30 },
      {
        ...axis,
        values: (_, ticks) => ticks.map((t) => valueText(data, t)),
        size: 74,
        ...(isBytes && { incrs: kByteSteps }),
      },
    ],
    series: [
      {},
      ...shown.map((layer) => ({
        fill: layerColor(indexOf(layer), isDark),
        width: 0,
        paths: stepped,
        points: { show: false },
      })),
      ...(data.line
        ? [{ stroke: color("--text"), width: 1.5, dash: [5, 3], paths: stepped, points: { show: false } }]
        : []),
    ],
    bands: shown.slice(1).map((_, i) => ({ series: [i + 2, i + 1] as [number, number] })),
    hooks: { setCursor: [onPoint] },
  };
}
