// Setting up a position by hand.
import { useSignal } from "@preact/signals";
import { MiniBoard } from "../board/MiniBoard";
import { Piece } from "../board/pieces";
import { boardOf, completeFen, describePiece, EMPTY_BOARD, KINDS, looksLikeFen, placementOf, SQUARES, START_FEN, turnOf, type Color } from "../chess/fen";
import { get } from "../api/client";
import { fen } from "../state/game";
import { openAnything } from "../state/open";
import { Segmented } from "./fields";

const RIGHTS = ["K", "Q", "k", "q"] as const;
const RIGHT_NAMES = { K: "White O-O", Q: "White O-O-O", k: "Black O-O", q: "Black O-O-O" };

function withField(text: string, index: number, value: string): string {
  return completeFen(text).split(" ").map((field, i) => (i === index ? value : field)).join(" ");
}

function Palette(props: { chosen: string; onChoose(piece: string): void }) {
  return (
    <div class="palette" role="group" aria-label="Piece to place">
      {["w", "b"].flatMap((color) =>
        KINDS.map((kind) => {
          const piece = color + kind;
          return (
            <button key={piece} type="button" aria-label={describePiece(piece)} aria-pressed={props.chosen === piece} onClick={() => props.onChoose(piece)}>
              <svg viewBox="0 0 100 100" aria-hidden="true"><Piece name={piece} /></svg>
            </button>
          );
        }),
      )}
    </div>
  );
}

export function SetupPanel({ onClose }: { onClose(): void }) {
  const text = useSignal(fen.peek());
  const chosen = useSignal("wP");
  const board = boardOf(text.value);
  const rights = completeFen(text.value).split(" ")[2] ?? "-";
  const put = (square: string) => {
    const next = new Map(board);
    if (next.get(square) === chosen.value) next.delete(square);
    else next.set(square, chosen.value);
    text.value = withField(withField(text.value, 0, placementOf(next)), 3, "-");
  };
  const toggle = (right: string, on: boolean) => {
    const set = RIGHTS.filter((one) => (one === right ? on : rights.includes(one))).join("");
    text.value = withField(text.value, 2, set || "-");
  };
  const finish = async () => {
    if (await openAnything(text.peek())) onClose();
  };
  return (
    <div class="stack setup">
      <div class="panel-head">
        <h2>Set up a position</h2>
        <button type="button" onClick={onClose}>Cancel</button>
      </div>
      <div class="setup-board">
        <MiniBoard fen={text.value} label="Position being set up" />
        <div class="setup-squares" role="group" aria-label="Squares">
          {SQUARES.map((square) => {
            const piece = board.get(square);
            return <button key={square} type="button" aria-label={`${square}${piece ? `, ${describePiece(piece)}` : ""}`} onClick={() => put(square)} />;
          })}
        </div>
      </div>
      <Palette chosen={chosen.value} onChoose={(piece) => (chosen.value = piece)} />
      <p class="faint">Choose a piece and click squares; a second click takes it away.</p>
      <Segmented
        label="Side to move"
        value={turnOf(text.value)}
        options={[{ value: "w" as Color, name: "White to move" }, { value: "b" as Color, name: "Black to move" }]}
        onChoose={(color) => (text.value = withField(text.value, 1, color))}
      />
      <div class="checks">
        {RIGHTS.map((right) => (
          <label key={right} class="check">
            <input type="checkbox" checked={rights.includes(right)} onChange={(event) => toggle(right, event.currentTarget.checked)} />
            {RIGHT_NAMES[right]}
          </label>
        ))}
      </div>
      <label class="field">
        <span class="field-name">FEN</span>
        <input type="text" spellcheck={false} value={text.value} onChange={(event) => looksLikeFen(event.currentTarget.value) && (text.value = completeFen(event.currentTarget.value))} />
      </label>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void finish()}>Done</button>
        <button type="button" onClick={() => (text.value = START_FEN)}>Start position</button>
        <button type="button" onClick={() => (text.value = `${EMPTY_BOARD} w - - 0 1`)}>Clear</button>
        <button type="button" onClick={() => void get<{ fen: string }>("chess960").then((drawn) => (text.value = drawn.fen))}>Chess960</button>
      </div>
    </div>
  );
}
