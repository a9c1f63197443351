// Keeps the page: its address follows what is shown, and a reload brings everything back, also what
// does not fit into an address (comments, clocks, the games of an opened file).
import { batch, effect } from "@preact/signals";
import { needsChess960, START_FEN } from "../chess/fen";
import { splitGames } from "../chess/pgn/split";
import { rulesOf } from "../chess/server_rules";
import * as trees from "../chess/tree";
import type { Tree } from "../chess/tree";
import { formatAddress, listMoves, parseAddress, type Address } from "./address";
import { analysing } from "./analysis";
import { clock, paused, type Clock } from "./clock";
import * as game from "./game";
import { tell } from "./notices";
import { person } from "./opponent";
import * as settings from "./settings";
import { keepText, keptText } from "./storage";

const KEY = "solis.session";

interface Kept {
  address: string;
  tree: Tree;
  at: number;
  clock: Clock | null;
  analysing: boolean;
  openedGame: number;
}

function addressNow(): string {
  return formatAddress(
    {
      view: settings.view.value,
      model: settings.model.value,
      plan: settings.plan.value,
      anchored: settings.anchored.value,
      layout: settings.layout.value,
      flipped: settings.flipped.value,
      heat: settings.heat.value,
      watch: settings.watchId.value,
      side: person.value ?? "",
    },
    game.tree.value,
    game.at.value,
  );
}

/** The tree of a link; moves that the rules refuse are left out with what follows them. */
async function treeFrom(address: Address): Promise<{ tree: Tree; at: number }> {
  const chess960 = address.chess960 || needsChess960(address.fen);
  const rules = rulesOf(chess960);
  const headers = { ...(address.white ? { White: address.white } : {}), ...(address.black ? { Black: address.black } : {}) };
  let tree = trees.newTree(address.fen, chess960, headers);
  await rules.situation(address.fen);
  const ids = [trees.ROOT];
  for (const { uci, parent } of listMoves(address.moves)) {
    const at = ids[parent] ?? -1;
    const move = at < 0 ? undefined : (await rules.line(trees.node(tree, at).fen, [uci]))[0];
    if (!move) {
      ids.push(-1);
      continue;
    }
    const played = trees.play(tree, at, move);
    tree = played.tree;
    ids.push(played.at);
  }
  return { tree, at: Math.max(trees.ROOT, ids[address.at] ?? trees.ROOT) };
}

function applySettings(address: Address): void {
  batch(() => {
    settings.view.value = address.view;
    settings.model.value = address.model;
    settings.plan.value = address.plan;
    settings.anchored.value = address.anchored;
    settings.layout.value = address.layout;
    settings.flipped.value = address.flipped;
    settings.heat.value = address.heat;
    settings.watchId.value = address.watch;
    person.value = address.side === "" ? null : address.side;
  });
}

async function openAddress(hash: string): Promise<void> {
  const address = parseAddress(hash);
  try {
    const { tree, at } = await treeFrom(address);
    batch(() => {
      clock.value = null;
      game.setTree(tree, at);
      applySettings(address);
    });
  } catch (error) {
    tell(`the link could not be opened: ${(error as Error).message}`);
    applySettings({ ...address, fen: START_FEN, moves: [], side: "" });
  }
}

function readKept(): Kept | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text ? (JSON.parse(text) as Kept) : null;
  } catch {
    return null;
  }
}

function restore(kept: Kept): void {
  batch(() => {
    game.setTree(kept.tree, kept.at);
    applySettings(parseAddress(kept.address));
    clock.value = kept.clock;
    analysing.value = kept.analysing;
    game.openedGame.value = kept.openedGame;
  });
}

function keep(address: string): void {
  const ticking = clock.peek();
  const kept: Kept = {
    address,
    tree: game.tree.peek(),
    at: game.at.peek(),
    clock: ticking ? paused(ticking, performance.now()) : null,
    analysing: analysing.peek(),
    openedGame: game.openedGame.peek(),
  };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A game too large for the storage is still in the address.
  }
}

async function restoreCollection(): Promise<void> {
  const text = await keptText();
  if (text && game.collection.peek() === null) game.collection.value = { text, games: splitGames(text) };
}

/** Opens what the address or the last load of this tab says, then follows what happens. */
export async function startSession(): Promise<void> {
  const hash = location.hash.replace(/^#/, "");
  const kept = readKept();
  if (kept && (hash === "" || hash === kept.address)) restore(kept);
  else if (hash !== "") await openAddress(hash);
  void restoreCollection();

  let written = hash;
  effect(() => {
    const address = addressNow();
    void clock.value;
    void analysing.value;
    if (address !== written) {
      written = address;
      history.replaceState(null, "", address === "" ? location.pathname + location.search : `#${address}`);
    }
    keep(address);
  });
  effect(() => void keepText(game.collection.value?.text ?? null));
  window.addEventListener("pagehide", () => keep(written));
  window.addEventListener("hashchange", () => {
    const now = location.hash.replace(/^#/, "");
    if (now !== written) {
      written = now;
      void openAddress(now);
    }
  });
}
