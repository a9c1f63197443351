// One plan: its figures, its lines, and the tree of the paper's plan.
import type { Signal } from "@preact/signals";
import type { Line, Wdl } from "../api/types";
import { plyOf } from "../chess/fen";
import { rulesOf } from "../chess/server_rules";
import { moveNumber, play } from "../chess/tree";
import * as game from "../state/game";
import { person } from "../state/opponent";
import type { PlanView } from "../state/plan_stream";
import { evaluation, percent, seconds, short } from "../ui/format";
import { PlanTreeView } from "./PlanTreeView";

/** Adds the first moves of a line to the game as a variation and goes to the last of them. */
async function follow(line: Line, count: number): Promise<void> {
  const from = game.at.peek();
  const moves = await rulesOf(game.tree.peek().chess960).line(game.fen.peek(), line.uci.slice(0, count));
  let { tree, at } = { tree: game.tree.peek(), at: from };
  for (const move of moves) ({ tree, at } = play(tree, at, move));
  game.setTree(tree, at);
}

export function WdlBar({ wdl }: { wdl: Wdl }) {
  const [wins, draws, losses] = wdl;
  return (
    <div class="wdl" role="img" aria-label={`White wins ${percent(wins)}, draw ${percent(draws)}, Black wins ${percent(losses)}`}>
      <span class="w" style={{ flexGrow: wins }} />
      <span class="d" style={{ flexGrow: draws }} />
      <span class="l" style={{ flexGrow: losses }} />
    </div>
  );
}

function LineRow({ line, fen }: { line: Line; fen: string }) {
  const ply = plyOf(fen);
  const clickable = person.value === null && fen === game.fen.value;
  return (
    <li class="line">
      <span class="p">{percent(line.p)}</span>
      <div class="line-body">
        <div class="line-head">
          <WdlBar wdl={line.wdl} />
          <span class="faint figure">{evaluation(line)}</span>
        </div>
        <p class="line-moves">
          {line.san.slice(0, 14).map((san, i) => (
            <span key={i}>
              {(i === 0 || (ply + i) % 2 === 0) && <span class="number">{moveNumber(ply + i)}</span>}
              {clickable ? <button type="button" class="move" onClick={() => void follow(line, i + 1)}>{san}</button> : <span class="move">{san}</span>}
            </span>
          ))}
        </p>
      </div>
    </li>
  );
}

function Figures({ view }: { view: PlanView }) {
  const { info, state, queue } = view;
  const words =
    state === "queued" ? (queue > 0 ? `waiting, place ${queue}` : "waiting") : state === "running" ? "planning" : state === "failed" ? view.problem : state === "done" ? "done" : "";
  return (
    <dl class="figures">
      <div><dt>depth</dt><dd>{info?.depth ?? "–"}</dd></div>
      <div title="positions that were looked at: the paper's count"><dt>visited</dt><dd>{info ? short(info.visited) : "–"}</dd></div>
      <div title="positions that were scored, by the encoder, from memory or by the rules: nodes of UCI"><dt>nodes</dt><dd>{info ? short(info.nodes) : "–"}</dd></div>
      <div title="positions that went through the encoder: what a plan costs"><dt>embeddings</dt><dd>{info ? short(info.embeddings) : "–"}</dd></div>
      <div><dt>time</dt><dd>{info ? seconds(info.time) : "–"}</dd></div>
      <div class="state"><dt class="hidden">state</dt><dd>{words}</dd></div>
    </dl>
  );
}

export function PlanPane(props: { view: Signal<PlanView>; title: string }) {
  const view = props.view.value;
  const lines = view.info?.lines ?? [];
  return (
    <section class="plan-pane" aria-label={props.title}>
      <h3>{props.title}</h3>
      <Figures view={view} />
      <ol class="lines">
        {lines.map((line) => <LineRow key={line.rank} line={line} fen={view.fen} />)}
      </ol>
      {view.tree && <PlanTreeView tree={view.tree} fen={view.fen} />}
    </section>
  );
}
