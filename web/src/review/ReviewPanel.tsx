// Review of the game: accuracy, key moments in words, what each piece contributes, and files to keep.
import { ApiError, getText } from "../api/client";
import type { Moment, ReviewPly } from "../api/types";
import { plyOf } from "../chess/fen";
import { startFen } from "../chess/tree";
import { ROOT } from "../chess/tree";
import * as game from "../state/game";
import { heat } from "../state/settings";
import { explanation } from "../state/heat";
import { tell } from "../state/notices";
import { current as reviewed, NODES, startReview, stopReview } from "../state/review";
import { isDark } from "../ui/colors";
import { percent, signed } from "../ui/format";
import { saveText } from "../ui/save";
import { toPgn } from "../chess/pgn/write";

const TYPES = { html: "text/html", svg: "image/svg+xml", pgn: "application/x-chess-pgn" } as const;

async function saveReport(id: string, kind: keyof typeof TYPES): Promise<void> {
  try {
    const theme = isDark.peek() ? "dark" : "light";
    saveText(`solis-review.${kind}`, await getText(`report/${id}.${kind}?theme=${theme}`), TYPES[kind]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const gone = error.status === 404;
    tell(gone ? "the server has forgotten this review" : error.message, gone ? "review the game again" : error.hint);
  }
}

function goToPly(ply: number): void {
  game.goTo(ply === 0 ? ROOT : (game.line.peek()[ply - 1] ?? ROOT));
}

/** Mistakes of a side, by the colour that moved. */
function countsOf(plies: readonly ReviewPly[], whiteStarts: boolean, white: boolean): Record<string, number> {
  const counts: Record<string, number> = { inaccuracy: 0, mistake: 0, blunder: 0 };
  plies.forEach((ply, i) => {
    if (((i % 2 === 0) === whiteStarts) === white && ply.judgement) counts[ply.judgement] = (counts[ply.judgement] ?? 0) + 1;
  });
  return counts;
}

function Accuracy(props: { name: string; value: number | null | undefined; counts: Record<string, number> }) {
  return (
    <div class="accuracy">
      <span class="name">{props.name}</span>
      <span class="big">{props.value == null ? "–" : props.value.toFixed(1)}</span>
      <span class="faint">accuracy</span>
      <ul>
        <li><b>{props.counts["inaccuracy"]}</b> inaccuracies</li>
        <li><b>{props.counts["mistake"]}</b> mistakes</li>
        <li><b>{props.counts["blunder"]}</b> blunders</li>
      </ul>
    </div>
  );
}

function Moments({ moments }: { moments: readonly Moment[] }) {
  if (moments.length === 0) return <p class="faint">No move changed the game.</p>;
  return (
    <ol class="moments">
      {moments.map((moment) => (
        <li key={moment.ply}>
          <button type="button" class={moment.judgement ?? ""} aria-current={game.depth.value === moment.ply ? "true" : undefined} onClick={() => goToPly(moment.ply)}>
            {moment.text}
          </button>
        </li>
      ))}
    </ol>
  );
}

function Contributions() {
  const known = explanation.value;
  const pieces = known?.position === game.fen.value ? known.pieces.filter((piece) => piece.adds !== null) : [];
  const sorted = [...pieces].sort((a, b) => Math.abs(b.adds ?? 0) - Math.abs(a.adds ?? 0)).slice(0, 6);
  return (
    <section class="contributions">
      <label class="check">
        <input type="checkbox" checked={heat.value} onChange={(event) => (heat.value = event.currentTarget.checked)} />
        Show what each piece adds
      </label>
      {heat.value && (
        <table>
          <caption class="faint">Part of the projection on the advantage axis; plus helps White</caption>
          <thead><tr><th scope="col">Piece</th><th scope="col">It adds</th><th scope="col">Its square</th></tr></thead>
          <tbody>
            {sorted.map((piece) => (
              <tr key={piece.square}>
                <th scope="row">{piece.piece.toUpperCase() === "P" ? "" : piece.piece.toUpperCase()}{piece.square}</th>
                <td>{signed(piece.adds ?? 0)}</td>
                <td>{piece.its_square === null ? "–" : signed(piece.its_square)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function ReviewPanel() {
  const review = reviewed.value;
  const headers = game.tree.value.headers;
  const whiteStarts = plyOf(startFen(game.tree.value)) % 2 === 0;
  const done = review?.done;
  const empty = game.line.value.length === 0;
  return (
    <div class="stack">
      <div class="panel-head">
        <h2>Review</h2>
        {review?.state === "running" ? (
          <button type="button" onClick={stopReview}>Stop</button>
        ) : (
          <span class="buttons">
            <button type="button" class={done ? "" : "primary"} disabled={empty} onClick={() => void startReview(NODES.quick)}>Quick</button>
            <button type="button" disabled={empty} onClick={() => void startReview(NODES.thorough)}>Thorough</button>
          </span>
        )}
      </div>
      {empty && <p class="faint">Play or open a game, and SOLIS tells where it was won and lost.</p>}
      {review?.state === "running" && (
        <p>
          <progress max={review.total} value={review.plies.length} aria-label="Progress of the review" /> {percent(review.plies.length / Math.max(1, review.total))}
        </p>
      )}
      {review && (
        <div class="accuracies">
          <Accuracy name={headers["White"] ?? "White"} value={done?.accuracy.white} counts={countsOf(review.plies, whiteStarts, true)} />
          <Accuracy name={headers["Black"] ?? "Black"} value={done?.accuracy.black} counts={countsOf(review.plies, whiteStarts, false)} />
        </div>
      )}
      {done && (
        <>
          <h3>Key moments</h3>
          <Moments moments={done.moments} />
          <h3>Keep it</h3>
          <div class="buttons">
            <button type="button" onClick={() => void saveReport(done.id, "html")}>Page</button>
            <button type="button" onClick={() => void saveReport(done.id, "svg")}>Graph</button>
            <button type="button" onClick={() => saveText("solis-review.pgn", done.pgn || toPgn(game.tree.peek()), TYPES.pgn)}>Annotated PGN</button>
          </div>
        </>
      )}
      <Contributions />
    </div>
  );
}
