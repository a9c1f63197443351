// Rows of metrics.jsonl as series to draw: one per figure, over the steps.
import type { MetricsRow } from "../api/types";

export interface Series {
  name: string;
  steps: number[];
  values: number[];
}

const NOT_DRAWN = new Set(["step", "time", "seconds", "timestamp", "epoch", "wall"]);

/** Numbers of a row, those of inner objects as "outer.inner". */
export function figuresOf(row: MetricsRow, prefix = ""): [string, number][] {
  return Object.entries(row).flatMap(([key, value]): [string, number][] => {
    const name = prefix + key;
    if (typeof value === "number" && Number.isFinite(value)) return [[name, value]];
    if (value && typeof value === "object" && !Array.isArray(value)) return figuresOf(value as MetricsRow, `${name}.`);
    return [];
  });
}

export function seriesOf(rows: readonly MetricsRow[]): Series[] {
  const series = new Map<string, Series>();
  rows.forEach((row, index) => {
    const step = typeof row["step"] === "number" ? row["step"] : index;
    for (const [name, value] of figuresOf(row)) {
      if (NOT_DRAWN.has(name)) continue;
      const one = series.get(name) ?? { name, steps: [], values: [] };
      one.steps.push(step);
      one.values.push(value);
      series.set(name, one);
    }
  });
  // What never changes, as the size of a test set, is no curve.
  const drawn = [...series.values()].filter((one) => one.values.some((value) => value !== one.values[0]));
  // What a person looks for first comes first.
  const weight = (name: string) => (/loss/.test(name) ? 0 : /val|accuracy|rank|spearman|r2/.test(name) ? 1 : /rate/.test(name) ? 2 : 3);
  return drawn.sort((a, b) => weight(a.name) - weight(b.name) || a.name.localeCompare(b.name));
}
