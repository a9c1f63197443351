// Games in and out: files, pasted text, the list of a file, positions set up by hand, links.
import { useSignal } from "@preact/signals";
import { gameName, gamePlace } from "../chess/pgn/split";
import { toPgn } from "../chess/pgn/write";
import * as game from "../state/game";
import { openAnything } from "../state/open";
import { onMainLine } from "../chess/tree";
import { copyText, saveText } from "./save";
import { SetupPanel } from "./SetupPanel";

const MOST_LISTED = 300;

function OpenPart() {
  const text = useSignal("");
  const open = async () => {
    if (await openAnything(text.peek())) text.value = "";
  };
  return (
    <>
      <label class="field">
        <span class="field-name">Paste a FEN or PGN, or drop a file on the page</span>
        <textarea rows={3} spellcheck={false} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" class="primary" disabled={text.value.trim() === ""} onClick={() => void open()}>Open</button>
        <label class="button file">
          Choose a file
          <input
            type="file"
            accept=".pgn,.fen,.epd,.txt"
            onChange={(event) => {
              const input = event.currentTarget;
              void input.files?.[0]?.text().then(openAnything);
              input.value = "";
            }}
          />
        </label>
      </div>
    </>
  );
}

function GameList() {
  const wanted = useSignal("");
  const opened = game.collection.value;
  if (!opened) return null;
  const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
  const numbered = opened.games.map((one, index) => ({ one, index }));
  const found = numbered.filter(({ one }) => {
    const text = Object.values(one.headers).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <section class="game-list" aria-label="Games of the file">
      <label class="field">
        <span class="field-name">{opened.games.length.toLocaleString("en")} games</span>
        <input type="search" placeholder="Find a player, event or year" value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />
      </label>
      <ol>
        {found.slice(0, MOST_LISTED).map(({ one, index }) => (
          <li key={index}>
            <button type="button" aria-current={index === game.openedGame.value ? "true" : undefined} onClick={() => void game.openGame(index)}>
              <span class="name">{gameName(one.headers)}</span>
              <span class="result">{one.headers["Result"] ?? ""}</span>
              <span class="faint">{gamePlace(one.headers)}</span>
            </button>
          </li>
        ))}
      </ol>
      {found.length > MOST_LISTED && <p class="faint">The first {MOST_LISTED} of {found.length.toLocaleString("en")} are shown.</p>}
    </section>
  );
}

function VariationButtons() {
  const here = game.at.value;
  if (here === 0) return null;
  return (
    <div class="buttons">
      {!onMainLine(game.tree.value, here) && <button type="button" onClick={() => game.promoteLine(here)}>Make this the main line</button>}
      <button type="button" onClick={() => game.deleteFrom(here)}>Delete from here</button>
    </div>
  );
}

export function GamesPanel() {
  const setting = useSignal(false);
  if (setting.value) return <SetupPanel onClose={() => (setting.value = false)} />;
  return (
    <div class="stack">
      <h2>Games</h2>
      <OpenPart />
      <GameList />
      <h3>This game</h3>
      <div class="buttons">
        <button type="button" onClick={() => void copyText(location.href, "the link")}>Copy link</button>
        <button type="button" onClick={() => void copyText(game.fen.peek(), "the FEN")}>Copy FEN</button>
        <button type="button" onClick={() => void copyText(toPgn(game.tree.peek()), "the PGN")}>Copy PGN</button>
        <button type="button" onClick={() => saveText("game.pgn", toPgn(game.tree.peek()), "application/x-chess-pgn")}>Save PGN</button>
        <button type="button" onClick={() => (setting.value = true)}>Set up a position</button>
      </div>
      <VariationButtons />
    </div>
  );
}
