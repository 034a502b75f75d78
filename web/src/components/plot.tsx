import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { appearance } from "../api/theme";
import { useStore } from "../api/use_store";
import type { Columns } from "../model/plot_data";

export interface PlotSeries {
  label: string;
  tone: number; // index of a color
  isDashed?: boolean;
}

interface Props {
  label: string;
  columns: Columns;
  series: readonly PlotSeries[];
  format: (value: number) => string;
}

const kHeight = 220;
const kTones = 6;

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function toneColor(tone: number): string {
  return color(`--plot-${tone % kTones}`);
}

function options({ series, format }: Props, width: number): uPlot.Options {
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: kHeight,
    cursor: { drag: { x: true, y: false }, points: { size: 6 } },
    legend: {
      markers: {
        width: 2,
        dash: (_, i) => (series[i - 1]?.isDashed ? "dashed" : "solid"),
        fill: (_, i) => (series[i - 1]?.isDashed ? "transparent" : toneColor(series[i - 1]?.tone ?? 0)),
      },
    },
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
    axes: [
      { ...axis, values: (_, ticks) => timeTicks(ticks), space: 70, size: 32 },
      { ...axis, size: 74, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      { value: (_, t) => (t === null ? "-" : new Date(t * 1000).toLocaleString("en-GB")) },
      ...series.map((s) => ({
        label: s.label,
        stroke: toneColor(s.tone),
        width: s.isDashed ? 1 : 1.75,
        dash: s.isDashed ? [5, 4] : undefined,
        paths: uPlot.paths.stepped?.({ align: 1 }),
        points: { show: false },
        value: (_: uPlot, v: number | null) => (v === null ? "-" : format(v)),
      })),
    ],
  };
}

// Clock times, with seconds if ticks are close; the first tick of a day shows its date.
function timeTicks(ticks: number[]): string[] {
  const hasSeconds = ticks.length > 1 && ticks[1]! - ticks[0]! < 60;
  const second = hasSeconds ? "2-digit" : undefined;
  return ticks.map((t, i) => {
    const date = new Date(t * 1000);
    const before = ticks[i - 1];
    const isNewDay = before !== undefined && new Date(before * 1000).toDateString() !== date.toDateString();
    return isNewDay
      ? date.toLocaleDateString("en-GB", { day: "numeric", month: "short" })
      : date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second });
  });
}

// Lines over time. Drag selects a range, a double click shows all; the legend shows the values at
// the pointer and switches series.
export function Plot(props: Props) {
  const { label, columns, series } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const look = useStore(appearance);
  const identity = `${look}\n${series.map((s) => `${s.label} ${s.tone} ${s.isDashed}`).join("\n")}`;
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = box.current!;
    const made = new uPlot(options(latest.current, element.clientWidth), latest.current.columns, element);
    plot.current = made;
    const observer = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: kHeight });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [identity]);

  useEffect(() => plot.current?.setData(columns), [columns]);

  return <div class="plot" ref={box} role="group" aria-label={label} />;
}
