// Watching matches and training runs of this machine.
import { useComputed } from "@preact/signals";
import { status } from "../state/connection";
import { watchId } from "../state/settings";
import { watched } from "../state/watch";
import { CurveView } from "./CurveView";
import { MatchBoards, MatchTable } from "./MatchView";
import { seriesOf } from "./metrics";

function Nothing() {
  return (
    <div class="nothing">
      <h2>Nothing to watch yet</h2>
      <p>Name the files when you start the studio, and they are followed as they grow:</p>
      <pre tabIndex={0}>{"solis match … --log match.jsonl\nsolis train … --out runs/mini\nsolis serve --match match.jsonl --run runs/mini"}</pre>
    </div>
  );
}

function RunView() {
  const series = useComputed(() => seriesOf(watched.value?.rows ?? []));
  const count = watched.value?.rows.length ?? 0;
  if (count === 0) return <p class="faint">No metrics yet.</p>;
  return (
    <>
      <p class="faint">{count.toLocaleString("en")} rows of metrics.jsonl</p>
      <div class="curves">{series.value.map((one) => <CurveView key={one.name} series={one} />)}</div>
    </>
  );
}

export function WatchPage() {
  const items = status.value?.watch ?? [];
  const shown = items.find((item) => item.id === watchId.value) ?? items[0];
  const now = watched.value;
  if (!shown) return <section class="watch" aria-label="Watch">{status.value ? <Nothing /> : <p class="faint">…</p>}</section>;
  return (
    <section class="watch" aria-label="Watch">
      <div class="watch-tabs" role="group" aria-label="What to watch">
        {items.map((item) => (
          <button key={item.id} type="button" aria-pressed={item.id === shown.id} onClick={() => (watchId.value = item.id)}>
            <span class="faint">{item.kind === "match" ? "Match" : "Training"}</span> {item.name}
          </button>
        ))}
      </div>
      {now?.problem && <p class="problem" role="status">{now.problem}</p>}
      {shown.kind === "run" ? (
        <RunView />
      ) : (
        <>
          {now?.match ? <MatchTable match={now.match} /> : <p class="faint">No game is finished yet.</p>}
          <MatchBoards games={now?.games ?? []} />
        </>
      )}
    </section>
  );
}
