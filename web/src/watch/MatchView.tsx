// The table of a match, with error bars, and the boards of its last games.
import type { MatchEvent, MatchGame, MatchPlayer } from "../api/types";
import { MiniBoard } from "../board/MiniBoard";
import { openAnything } from "../state/open";
import { view } from "../state/settings";
import { percent, signed } from "../ui/format";

interface Range {
  least: number;
  most: number;
}

function rangeOf(players: readonly MatchPlayer[]): Range {
  const bounds = players.flatMap((one) => [one.elo_low, one.elo_high]).filter((value): value is number => value !== null && Number.isFinite(value));
  const reach = Math.max(20, ...bounds.map(Math.abs));
  return { least: -reach, most: reach };
}

function ErrorBar({ player, range }: { player: MatchPlayer; range: Range }) {
  const { elo, elo_low: low, elo_high: high } = player;
  const x = (value: number) => (200 * (value - range.least)) / (range.most - range.least);
  return (
    <svg class="error-bar" viewBox="-6 0 212 20" aria-hidden="true">
      <path class="zero" d={`M${x(0)} 0V20`} />
      {elo !== null && low !== null && high !== null && (
        <>
          <path class="whisker" d={`M${x(Math.max(range.least, low))} 10H${x(Math.min(range.most, high))}M${x(Math.max(range.least, low))} 5V15M${x(Math.min(range.most, high))} 5V15`} />
          <circle cx={x(Math.min(range.most, Math.max(range.least, elo)))} cy="10" r="4.5" />
        </>
      )}
    </svg>
  );
}

export function MatchTable({ match }: { match: MatchEvent }) {
  const range = rangeOf(match.players);
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Table of the match">
      <table class="match-table">
        <caption>
          {match.name} · {match.games.toLocaleString("en")}{match.total ? ` of ${match.total.toLocaleString("en")}` : ""} games
        </caption>
        <thead>
          <tr>
            <th scope="col">Player</th><th scope="col">Games</th><th scope="col">Won</th><th scope="col">Drawn</th><th scope="col">Lost</th>
            <th scope="col">Score</th><th scope="col">Elo</th><th scope="col">95 % interval</th><th scope="col">Likely better</th>
          </tr>
        </thead>
        <tbody>
          {match.players.map((player) => (
            <tr key={player.name}>
              <th scope="row">{player.name}</th>
              <td>{player.games}</td><td>{player.wins}</td><td>{player.draws}</td><td>{player.losses}</td>
              <td>{percent(player.score)}</td>
              <td class="elo">{player.elo_text ?? (player.elo === null ? "–" : signed(player.elo, 1))}</td>
              <td><ErrorBar player={player} range={range} /></td>
              <td>{player.los === undefined || player.los === null ? "–" : percent(player.los)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A game of a match as PGN that our own reader takes: moves may be UCI. */
function pgnOf(game: MatchGame): string {
  const tags = [`[White "${game.white}"]`, `[Black "${game.black}"]`, `[Result "${game.result}"]`, `[SetUp "1"]`, `[FEN "${game.start}"]`];
  return `${tags.join("\n")}\n\n${game.moves.join(" ")} ${game.result}\n`;
}

export function MatchBoards({ games }: { games: readonly MatchGame[] }) {
  const open = async (game: MatchGame) => {
    view.value = "review";
    await openAnything(pgnOf(game));
  };
  return (
    <ul class="match-boards">
      {games.map((game) => (
        <li key={game.number}>
          <button type="button" class="point-card" title="Open this game" onClick={() => void open(game)}>
            <MiniBoard fen={game.fen} />
            <span class="name">{game.white} – {game.black}</span>
            <span>{game.result}</span>
            <span class="faint">game {game.number} · {game.moves.length} plies · {game.ending}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
