// The moves of the game: the main line in pairs, variations in brackets below the move they replace.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { moveNumber, node, plyAt, ROOT, type Tree } from "../chess/tree";
import * as game from "../state/game";
import { current as reviewed } from "../state/review";

const NAGS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" } as const;

/** Comments without the commands that programs write into them. */
function words(comment: string): string {
  return comment.replace(/\[%[^\]]*\]/g, "").trim();
}

function judgementOf(id: number): "inaccuracy" | "mistake" | "blunder" | null {
  const index = game.line.value.indexOf(id);
  return index < 0 ? null : (reviewed.value?.plies[index]?.judgement ?? null);
}

function MoveButton({ tree, id }: { tree: Tree; id: number }) {
  const { san, nags } = node(tree, id);
  const judgement = judgementOf(id);
  const mark = judgement ? MARKS[judgement] : (nags ?? []).map((nag) => NAGS[nag] ?? "").join("");
  const here = game.at.value === id;
  return (
    <button type="button" class={`move ${judgement ?? ""}`} aria-current={here ? "true" : undefined} data-here={here || undefined} onClick={() => game.goTo(id)}>
      {san}
      {mark}
    </button>
  );
}

/** A line from a node on, as running text. */
function lineText(tree: Tree, from: number, out: JSX.Element[]): void {
  let number = true;
  for (let id: number | undefined = from; id !== undefined; ) {
    const ply = plyAt(tree, id) - 1;
    if (number || ply % 2 === 0) out.push(<span key={`n${id}`} class="number">{moveNumber(ply)}</span>);
    out.push(<MoveButton key={id} tree={tree} id={id} />);
    const comment = words(node(tree, id).comment ?? "");
    if (comment) out.push(<span key={`c${id}`} class="comment">{comment}</span>);
    number = comment !== "";
    const [first, ...others]: readonly number[] = node(tree, id).children;
    for (const other of others) {
      out.push(<Variation key={`v${other}`} tree={tree} from={other} />);
      number = true;
    }
    id = first;
  }
}

function Variation({ tree, from }: { tree: Tree; from: number }) {
  const parts: JSX.Element[] = [];
  lineText(tree, from, parts);
  return <span class="variation">({parts})</span>;
}

function rowsOf(tree: Tree): JSX.Element[] {
  const rows: JSX.Element[] = [];
  let cells: JSX.Element[] = [];
  const flush = () => {
    if (cells.length > 0) rows.push(<li key={`row${rows.length}`} class="pair">{cells}</li>);
    cells = [];
  };
  for (let parent = ROOT; ; ) {
    const [first, ...others]: readonly number[] = node(tree, parent).children;
    if (first === undefined) break;
    const ply = plyAt(tree, first) - 1;
    if (ply % 2 === 0) flush();
    if (cells.length === 0) {
      cells.push(<span key="n" class="number">{moveNumber(ply).replace("...", ".")}</span>);
      if (ply % 2 === 1) cells.push(<span key="gap" class="gap">…</span>);
    }
    cells.push(<MoveButton key={first} tree={tree} id={first} />);
    const comment = words(node(tree, first).comment ?? "");
    if (comment || others.length > 0) {
      flush();
      rows.push(
        <li key={`aside${first}`} class="aside">
          {comment && <span class="comment">{comment}</span>}
          {others.map((other) => <Variation key={other} tree={tree} from={other} />)}
        </li>,
      );
    }
    parent = first;
  }
  flush();
  return rows;
}

export function MoveList() {
  const list = useRef<HTMLOListElement>(null);
  const here = game.at.value;
  useEffect(() => {
    const box = list.current;
    const move = box?.querySelector<HTMLElement>("[data-here]");
    if (!box) return;
    // Scrolls the list only, never the page.
    if (!move) box.scrollTop = 0;
    else if (box.scrollWidth > box.clientWidth) box.scrollLeft = move.offsetLeft - box.clientWidth / 2;
    else box.scrollTop = move.offsetTop - box.clientHeight / 2;
  }, [here, game.tree.value]);
  const rows = rowsOf(game.tree.value);
  const opening = words(node(game.tree.value, ROOT).comment ?? "");
  return (
    <section class="moves" aria-label="Moves">
      <ol ref={list} tabIndex={0} aria-label="Moves of the game">
        {opening && <li class="aside"><span class="comment">{opening}</span></li>}
        {rows.length > 0 ? rows : <li class="empty">No moves yet. Drag a piece, or type one below.</li>}
      </ol>
    </section>
  );
}
