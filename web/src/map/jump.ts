// From a point of the sample to the board: its game where there is one, its position otherwise.
import { batch } from "@preact/signals";
import { ApiError } from "../api/client";
import { rulesOf } from "../chess/server_rules";
import * as trees from "../chess/tree";
import { clock } from "../state/clock";
import { openFen, setTree } from "../state/game";
import { gameOfPoint } from "../state/map";
import { say, tell } from "../state/notices";
import { person } from "../state/opponent";

/** Leaves the game that was on the board to the browser's way back. */
function leave(): void {
  history.pushState(null, "", location.href);
  batch(() => {
    person.value = null;
    clock.value = null;
  });
}

export async function jumpToPoint(id: number): Promise<void> {
  try {
    const point = await gameOfPoint(id);
    if (!point?.fen) {
      tell("this map has no positions to jump to", "maps made by `solis map --save` hold places only");
      return;
    }
    leave();
    if (!point.start || !point.moves) {
      await openFen(point.fen);
      return;
    }
    const line = await rulesOf(false).line(point.start, point.moves);
    const players = /^(.*?) [-–] (.*?)(,.*)?$/.exec(point.game ?? "");
    let tree = trees.newTree(point.start, false, {
      Event: point.source,
      White: players?.[1] ?? "?",
      Black: players?.[2] ?? "?",
      Result: point.result ?? "*",
    });
    const ids: number[] = [trees.ROOT];
    for (const move of line) {
      const played = trees.play(tree, ids.at(-1) ?? trees.ROOT, move);
      tree = played.tree;
      ids.push(played.at);
    }
    setTree(tree, ids[point.ply] ?? trees.ROOT);
    say(`Position ${point.ply} of ${point.game ?? point.source}`);
  } catch (error) {
    if (error instanceof ApiError) tell(error.message, error.hint);
    else throw error;
  }
}
