// The win probability over the game: hover shows, click goes there.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { moveName, ROOT } from "../chess/tree";
import { depth, goTo, line, step, toEnd, toStart, tree } from "../state/game";
import { current as reviewed } from "../state/review";
import { trace } from "../state/trace";
import { percent } from "../ui/format";
import { area, curve, placeOf, plyAtX } from "./graph";

const HEIGHT = 100;

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(600);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) width.value = Math.max(50, entry.contentRect.width);
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

export function WinGraph() {
  const { box, width } = useWidth();
  const hovered = useSignal<number | null>(null);
  const latent = useComputed(() => trace.value.map((ply) => ply.p));
  // What the review has found is worth more than the embedding alone.
  const judged = useComputed(() => {
    const plies = reviewed.value?.plies ?? [];
    return latent.value.map((_, i) => (i === 0 ? (plies[0]?.p_before ?? null) : (plies[i - 1]?.p ?? null)));
  });
  const values = latent.value.map((p, i) => judged.value[i] ?? p);
  const size = { width: width.value, height: HEIGHT };
  const count = values.length;
  const go = (ply: number) => goTo(ply === 0 ? ROOT : (line.peek()[ply - 1] ?? ROOT));
  const here = Math.min(depth.value, Math.max(0, count - 1));
  const looked = hovered.value ?? here;
  const p = values[looked];
  const name = looked === 0 ? "start" : line.value[looked - 1] !== undefined ? moveName(tree.value, line.value[looked - 1] as number) : "";
  const plyOf = (event: PointerEvent) => plyAtX(size, count, event.clientX - (box.current?.getBoundingClientRect().left ?? 0));
  const marker = p === undefined ? null : placeOf(size, count, looked, p);
  const hasReview = judged.value.some((value) => value !== null);
  const onKeyDown = (event: KeyboardEvent) => {
    const actions: Record<string, () => void> = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: toStart, End: toEnd };
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <section class="win-graph" aria-label="Win probability">
      <p class="graph-head">
        <span>Win probability</span>
        <span class="looked">{count > 1 && p !== undefined ? `${name} · White wins ${percent(p)}` : ""}</span>
      </p>
      <div
        ref={box}
        class="graph-box"
        role="slider"
        tabIndex={0}
        aria-label="Move of the game"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={here}
        aria-valuetext={p === undefined ? "no game" : `${name}, White wins ${percent(p)}`}
        onPointerMove={(event) => {
          hovered.value = plyOf(event);
          if (event.buttons === 1) go(plyOf(event));
        }}
        onPointerDown={(event) => go(plyOf(event))}
        onPointerLeave={() => (hovered.value = null)}
        onKeyDown={onKeyDown}
      >
        <svg width={width.value} height={HEIGHT} viewBox={`0 0 ${width.value} ${HEIGHT}`} aria-hidden="true">
          <defs>
            <clipPath id="graph-above"><rect width={width.value} height={HEIGHT / 2} /></clipPath>
            <clipPath id="graph-below"><rect y={HEIGHT / 2} width={width.value} height={HEIGHT / 2} /></clipPath>
          </defs>
          <path class="area white" clip-path="url(#graph-above)" d={area(size, values)} />
          <path class="area black" clip-path="url(#graph-below)" d={area(size, values)} />
          <path class="middle" d={`M0 ${HEIGHT / 2}H${width.value}`} />
          {hasReview && <path class="curve latent" d={curve(size, latent.value)} />}
          <path class="curve" d={curve(size, values)} />
          {reviewed.value?.done?.moments.map((moment) => {
            const value = values[moment.ply];
            if (value === undefined) return null;
            const { x, y } = placeOf(size, count, moment.ply, value);
            return <circle key={moment.ply} class={`moment ${moment.judgement ?? ""}`} cx={x} cy={y} r="4.5" />;
          })}
          {marker && count > 1 && (
            <>
              <path class={hovered.value === null ? "cursor" : "cursor hovering"} d={`M${marker.x.toFixed(1)} 0V${HEIGHT}`} />
              <circle class="cursor-dot" cx={marker.x} cy={marker.y} r="4" />
            </>
          )}
        </svg>
      </div>
    </section>
  );
}
