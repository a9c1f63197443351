// One curve of a training run.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { isDark } from "../ui/colors";
import type { Series } from "./metrics";

const HEIGHT = 170;

function figure(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(2);
  return value.toLocaleString("en", { maximumSignificantDigits: 5 });
}

function optionsOf(series: Series, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: color("--faint-ink"), grid: { stroke: color("--rule"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
  return {
    width,
    height: HEIGHT,
    scales: { x: { time: false } },
    legend: { show: false },
    cursor: { y: false },
    series: [{ label: "step" }, { label: series.name, stroke: color("--path"), width: 1.6, points: { show: false } }],
    axes: [{ ...axis }, { ...axis, size: 56, values: (_, ticks) => ticks.map(figure) }],
  };
}

export function CurveView({ series }: { series: Series }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const dark = isDark.value;
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const drawn = new uPlot(optionsOf(series, element.clientWidth || 400), [series.steps, series.values], element);
    plot.current = drawn;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 50) drawn.setSize({ width: entry.contentRect.width, height: HEIGHT });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [series.name, dark]);
  useEffect(() => plot.current?.setData([series.steps, series.values]), [series]);
  const last = series.values.at(-1) ?? 0;
  return (
    <figure class="curve-card">
      <figcaption>
        <span>{series.name}</span>
        <b>{figure(last)}</b>
      </figcaption>
      <div ref={box} class="curve-box" role="img" aria-label={`${series.name} over ${series.steps.length} steps, now ${figure(last)}`} />
    </figure>
  );
}
