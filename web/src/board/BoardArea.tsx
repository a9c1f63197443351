// The board of the game with the players, their clocks, the bar of the win probability and the controls.
import { computed, useComputed, useSignal } from "@preact/signals";
import { boardOf, opposite, type Color } from "../chess/fen";
import { moveName, type Move } from "../chess/tree";
import { bestLines, analysing } from "../state/analysis";
import { blackLeft, clock, clockFace, flagged, whiteLeft } from "../state/clock";
import * as game from "../state/game";
import { heatMap } from "../state/heat";
import { movable, moveByHand, person, takeBack, thoughts, verdict } from "../state/opponent";
import { flipped, heat, showArrows } from "../state/settings";
import { latent } from "../state/trace";
import { percent } from "../ui/format";
import { Icon, type IconName } from "../ui/Icon";
import { BoardView, type Arrow } from "./BoardView";
import { Promotion } from "./Promotion";

const checkSquare = computed(() => {
  if (!game.situation.value.check) return null;
  const king = `${game.turn.value}K`;
  return [...boardOf(game.fen.value)].find(([, piece]) => piece === king)?.[0] ?? null;
});

const lastMove = computed(() => {
  const uci = game.current.value.uci;
  return uci ? [uci.slice(0, 2), uci.slice(2, 4)] : [];
});

const arrows = computed<Arrow[]>(() => {
  if (!showArrows.value) return [];
  return bestLines.value.flatMap(({ uci, rank }) => (uci[0] ? [{ from: uci[0].slice(0, 2), to: uci[0].slice(2, 4), rank }] : []));
});

/** White's win probability: of the analysis where there is one, else of the embedding alone. */
export const shownP = computed(() => {
  const ended = game.outcome.value?.result;
  if (ended) return ended === "1-0" ? 1 : ended === "0-1" ? 0 : 0.5;
  return bestLines.value[0]?.p ?? latent.value;
});

function WinBar() {
  const p = shownP.value;
  const share = p ?? 0.5;
  return (
    <div class={flipped.value ? "win-bar flipped" : "win-bar"} role="img" aria-label={p === null ? "no win probability yet" : `White wins ${percent(p)}`}>
      <div class="white" style={{ transform: `scaleY(${share})` }} />
      <span class={share >= 0.5 ? "figure at-white" : "figure at-black"}>{p === null ? "" : Math.round(100 * Math.max(share, 1 - share))}</span>
    </div>
  );
}

function PlayerStrip({ color }: { color: Color }) {
  const name = game.tree.value.headers[color === "w" ? "White" : "Black"] ?? (color === "w" ? "White" : "Black");
  const thinking = person.value === opposite(color) && thoughts.value.state !== "idle" && thoughts.value.state !== "done";
  const left = color === "w" ? whiteLeft.value : blackLeft.value;
  const result = verdict.value?.result;
  const points = result === "1/2-1/2" ? "½" : result ? ((result === "1-0") === (color === "w") ? "1" : "0") : "";
  return (
    <div class={game.turn.value === color ? "player to-move" : "player"}>
      <span class={`disc ${color}`} aria-hidden="true" />
      <span class="name">{name}</span>
      <span class="faint note">{thinking ? "is thinking…" : ""}</span>
      {points && <span class="points">{points}</span>}
      {clock.value && (
        <span class={clock.value.running === color ? "clock running" : "clock"} role="timer" aria-label={`clock of ${name}`}>
          {flagged.value === color ? "0:00" : clockFace(left)}
        </span>
      )}
    </div>
  );
}

function Control(props: { icon: IconName; label: string; onClick: () => void; disabled?: boolean; pressed?: boolean }) {
  const pressed = props.pressed === undefined ? {} : { "aria-pressed": props.pressed };
  return (
    <button type="button" class="icon" aria-label={props.label} title={props.label} disabled={props.disabled ?? false} onClick={props.onClick} {...pressed}>
      <Icon name={props.icon} />
    </button>
  );
}

function Controls() {
  const start = game.at.value === 0;
  const end = game.current.value.children.length === 0;
  return (
    <div class="controls" role="toolbar" aria-label="Game">
      <Control icon="first" label="To the start (Home)" onClick={game.toStart} disabled={start} />
      <Control icon="previous" label="Back one move (←)" onClick={() => game.step(-1)} disabled={start} />
      <Control icon="next" label="Forward one move (→)" onClick={() => game.step(1)} disabled={end} />
      <Control icon="last" label="To the end (End)" onClick={game.toEnd} disabled={end} />
      <span class="space" />
      <Control icon="back" label="Take back (U)" onClick={takeBack} disabled={start} />
      <Control icon="flip" label="Flip the board (F)" onClick={() => (flipped.value = !flipped.peek())} pressed={flipped.value} />
      <Control icon="heat" label="What each piece adds (H)" onClick={() => (heat.value = !heat.peek())} pressed={heat.value} />
      <Control icon="arrows" label="Arrows of the best lines (A)" onClick={() => (showArrows.value = !showArrows.peek())} pressed={showArrows.value} />
    </div>
  );
}

function announcement(): string {
  const ended = verdict.value;
  if (ended) return `${ended.result} · ${ended.reason}`;
  const side = game.turn.value === "w" ? "White" : "Black";
  if (person.value !== null) return game.turn.value === person.value ? "Your move" : "SOLIS to move";
  const last = game.at.value === 0 ? "" : `${moveName(game.tree.value, game.at.value)} · `;
  return `${last}${side} to move${analysing.value ? "" : ""}`;
}

export function BoardArea() {
  const asking = useSignal<Move[] | null>(null);
  const label = useComputed(() => `Board, ${announcement()}. Arrow keys move between squares, Enter chooses.`);
  const targets = (from: string) => {
    const moves = game.situation.value.moves.filter((move) => move.uci.startsWith(from));
    return [...new Set(moves.flatMap((move) => {
      const goal = move.uci.slice(2, 4);
      const castles = move.san.startsWith("O-O-O") ? `c${from.charAt(1)}` : move.san.startsWith("O-O") ? `g${from.charAt(1)}` : goal;
      return [goal, castles];
    }))];
  };
  const onMove = (from: string, to: string) => {
    const moves = game.movesBetween(from, to);
    if (moves.length > 1) asking.value = moves;
    else if (moves[0]) moveByHand(moves[0].uci);
  };
  const top: Color = flipped.value ? "w" : "b";
  return (
    <section class="board-area" aria-label="Game">
      <PlayerStrip color={top} />
      <div class="board-row">
        <WinBar />
        <div class="board-box">
          <BoardView
            fen={game.fen.value}
            flipped={flipped.value}
            movable={movable.value.filter((color) => color === game.turn.value)}
            targets={targets}
            onMove={onMove}
            lastMove={lastMove.value}
            check={checkSquare.value}
            arrows={arrows.value}
            label={label.value}
            {...(heat.value && heatMap.value ? { heat: heatMap.value } : {})}
          />
          {asking.value && (
            <Promotion
              moves={asking.value}
              color={game.turn.value}
              onChoose={(move) => {
                asking.value = null;
                if (move) moveByHand(move.uci);
              }}
            />
          )}
        </div>
      </div>
      <PlayerStrip color={opposite(top)} />
      <div class="under-board">
        <Controls />
        <p class="verdict" aria-live="polite">{announcement()}</p>
      </div>
    </section>
  );
}
