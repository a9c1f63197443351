// The server as arbiter, for Chess960.
import { ApiError, post } from "../api/client";
import type { PositionAnswer } from "../api/types";
import { StandardRules, type Rules, type Situation } from "./rules";
import type { Move } from "./tree";

class ServerRules implements Rules {
  private readonly known = new Map<string, Situation>();

  async situation(fen: string): Promise<Situation> {
    const known = this.known.get(fen);
    if (known) return known;
    const answer = await post<PositionAnswer>("position", { fen, chess960: true });
    const outcome = answer.result ? { result: answer.result, reason: answer.reason ?? "" } : null;
    const situation = { moves: answer.moves, outcome, check: answer.check };
    this.known.set(fen, situation);
    return situation;
  }

  async line(fen: string, moves: readonly string[]): Promise<Move[]> {
    for (let count = moves.length; count > 0; ) {
      try {
        return (await post<PositionAnswer>("position", { fen, moves: moves.slice(0, count), chess960: true })).line;
      } catch (error) {
        if (!(error instanceof ApiError) || error.isOffline) throw error;
        count -= 1;
      }
    }
    return [];
  }
}

export const standardRules = new StandardRules();
const serverRules = new ServerRules();

export function rulesOf(chess960: boolean): Rules {
  return chess960 ? serverRules : standardRules;
}
