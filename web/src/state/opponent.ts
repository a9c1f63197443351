// Playing against SOLIS: whose turn it is, what SOLIS is asked, and what comes back.
import { batch, computed, effect, signal } from "@preact/signals";
import { ApiError } from "../api/client";
import type { PlanRequest } from "../api/types";
import { opposite, START_FEN, type Color } from "../chess/fen";
import { annotate, node, pathTo, ROOT } from "../chess/tree";
import { analysing, modelId } from "./analysis";
import { clock, flagged, left, newClock, paused, pressed, stopClock, type Clock } from "./clock";
import { epoch, online } from "./connection";
import * as game from "./game";
import { say, tell } from "./notices";
import { follow, IDLE, planView } from "./plan_stream";
import { anchored, clockChoice, flipped, plan, strength } from "./settings";
import { moveSound } from "./sound";
import { tabId } from "./tab";

/** The colour that a person plays; null while nobody plays against SOLIS. */
export const person = signal<Color | null>(null);
export const resigned = signal<Color | null>(null);
export const thoughts = planView();

/** The result of the game being played, with its reason. */
export const verdict = computed(() => {
  const ended = game.outcome.value;
  if (ended) return ended;
  const loser = flagged.value ?? resigned.value;
  if (!loser || person.value === null) return null;
  return { result: loser === "w" ? "0-1" : "1-0", reason: flagged.value ? "time" : "resignation" };
});

/** Whether SOLIS has to move at the board's position, which is the end of its line. */
export const solisToMove = computed(() => {
  const side = person.value;
  if (side === null || verdict.value !== null) return false;
  return game.turn.value !== side && game.current.value.children.length === 0 && game.situation.value.moves.length > 0;
});

/** Colours that may be moved by hand. */
export const movable = computed<readonly Color[]>(() => {
  if (person.value === null) return ["w", "b"];
  return verdict.value === null ? [person.value] : [];
});

function limitsOf(running: Clock | null): Pick<PlanRequest, "limits" | "elo" | "width"> {
  const chosen = strength.peek();
  const now = performance.now();
  const timed = running
    ? {
        clock: {
          white: Math.max(1, Math.floor(left(running, "w", now))),
          black: Math.max(1, Math.floor(left(running, "b", now))),
          white_increment: running.increment,
          black_increment: running.increment,
        },
      }
    : null;
  if (chosen.kind === "elo") return { elo: chosen.elo, limits: timed ?? { movetime: 1000 } };
  if (chosen.kind === "tree") return { width: chosen.width, limits: { depth: chosen.depth } };
  return { limits: { movetime: chosen.milliseconds } };
}

function requestNow(): PlanRequest {
  const chosen = strength.peek();
  return {
    ...game.gameTo(game.at.peek()),
    model: modelId.peek(),
    // Width and depth are the paper plan's.
    plan: chosen.kind === "tree" ? "paper" : plan.peek(),
    anchored: anchored.peek(),
    session: `${tabId}-p`,
    ...limitsOf(clock.peek()),
    ...(chosen.kind === "tree" || plan.peek() === "paper" ? { tree: true } : {}),
  };
}

/** Presses the clock for the side that has just moved, and writes the time left into the game. */
function press(mover: Color): void {
  const running = clock.peek();
  if (!running) return;
  const next = pressed(running, mover, performance.now());
  clock.value = next;
  game.tree.value = annotate(game.tree.peek(), game.at.peek(), { clock: mover === "w" ? next.white : next.black });
}

function reply(uci: string): void {
  const move = game.situation.peek().moves.find((one) => one.uci === uci);
  if (!move) {
    tell(`SOLIS wanted to play ${uci}, which the page does not know as legal`);
    return;
  }
  const mover = game.turn.peek();
  batch(() => {
    game.playMove(move);
    press(mover);
  });
  moveSound(move.san);
  say(`SOLIS plays ${move.san}`);
}

/** A move of the person at the board, or of the analyst. */
export function moveByHand(uci: string): void {
  const move = game.situation.peek().moves.find((one) => one.uci === uci);
  if (!move || !movable.peek().includes(game.turn.peek())) return;
  const mover = game.turn.peek();
  batch(() => {
    game.playMove(move);
    if (person.peek() !== null) press(mover);
  });
  moveSound(move.san);
  say(move.san);
}

export function startPlaying(side: Color, start = START_FEN, chess960 = false): void {
  const names = { White: side === "w" ? "You" : "SOLIS", Black: side === "b" ? "You" : "SOLIS" };
  const choice = clockChoice.peek();
  batch(() => {
    analysing.value = false;
    flagged.value = null;
    resigned.value = null;
    clock.value = choice.minutes > 0 ? newClock(choice.minutes, choice.increment) : null;
    game.newGame(start, chess960, names);
    flipped.value = side === "b";
    person.value = side;
  });
}

/** Plays on from the position on the board. */
export function playFromHere(side: Color): void {
  batch(() => {
    flagged.value = null;
    resigned.value = null;
    clock.value = null;
    flipped.value = side === "b";
    person.value = side;
  });
}

export function stopPlaying(): void {
  batch(() => {
    person.value = null;
    clock.value = null;
    flagged.value = null;
    resigned.value = null;
  });
}

export function resign(): void {
  resigned.value = person.peek();
  stopClock();
}

/** Back to the last position in which the person was to move; what was played stays as a variation. */
export function takeBack(): void {
  const path = pathTo(game.tree.peek(), game.at.peek());
  const mine = [ROOT, ...path.slice(0, -1)].reverse();
  const side = person.peek();
  const target = mine.find((id) => {
    const turn = node(game.tree.peek(), id).fen.split(" ")[1];
    return side === null || turn === side;
  });
  if (path.length === 0 || target === undefined) return;
  batch(() => {
    flagged.value = null;
    resigned.value = null;
    game.goTo(target);
    const standing = clock.peek();
    if (standing) clock.value = { ...paused(standing, performance.now()), running: side, since: performance.now() };
  });
}

export function switchSides(): void {
  const side = person.peek();
  if (side === null) return;
  batch(() => {
    person.value = opposite(side);
    flipped.value = !flipped.peek();
  });
}

const MILLISECONDS_UNTIL_AGAIN = 700;

function think(): () => void {
  const abort = new AbortController();
  let again: ReturnType<typeof setTimeout> | undefined;
  const place = game.at.peek();
  follow(requestNow(), game.fen.peek(), thoughts, abort.signal)
    .then((done) => {
      if (abort.signal.aborted || game.at.peek() !== place || !solisToMove.peek()) return;
      if (done?.best) reply(done.best.uci);
      // The stream ended without an answer, as that of a server that ends does.
      else again = setTimeout(() => (epoch.value += 1), MILLISECONDS_UNTIL_AGAIN);
    })
    .catch((error: unknown) => {
      if (error instanceof ApiError && !error.isOffline) tell(error.message, error.hint);
    });
  return () => {
    clearTimeout(again);
    abort.abort();
  };
}

export function watchOpponent(): void {
  // A plan that was cut off by a restart of the server is asked for again by the new one.
  effect(() => {
    void epoch.value;
    void game.at.value;
    const asks = solisToMove.value && online.value === true && modelId.value !== "";
    if (!asks) {
      thoughts.value = thoughts.peek().state === "done" ? thoughts.peek() : IDLE;
      return undefined;
    }
    return think();
  });
  effect(() => {
    if (verdict.value !== null && person.value !== null) {
      stopClock();
      say(`Game over: ${verdict.value.result}, ${verdict.value.reason}`);
    }
  });
  // The time of SOLIS does not run while its server is away.
  effect(() => {
    const running = clock.peek();
    if (online.value === false) stopClock();
    else if (online.value && running && !running.running && person.peek() !== null && game.depth.peek() > 0 && verdict.peek() === null) {
      clock.value = { ...running, running: game.turn.peek(), since: performance.now() };
    }
  });
}
