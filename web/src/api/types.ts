// What the server answers; docs/api.md explains every field.
import type { Move } from "../chess/tree";

export interface ModelInfo {
  id: string;
  name: string;
  kind: string;
  dims: number;
  bytes: number;
  endings: boolean;
  default: boolean;
}

export interface WatchItem {
  id: string;
  kind: "match" | "run";
  name: string;
}

export interface Status {
  api: number;
  version: string;
  instance: string;
  models: ModelInfo[];
  elo: [number, number];
  threads: number;
  limits: { body_bytes: number; multipv: number };
  watch: WatchItem[];
}

/** A game as requests carry it. */
export interface GameRequest {
  fen: string;
  moves: string[];
  chess960: boolean;
}

export interface PositionAnswer {
  start: string;
  fen: string;
  turn: "w" | "b";
  check: boolean;
  result: string | null;
  reason: string | null;
  line: Move[];
  moves: Move[];
}

export interface PgnMove extends Move {
  nags?: number[];
  before?: string[];
  comments?: string[];
  clock?: number;
  variations?: PgnMove[][];
}

export interface PgnGame {
  tags: Record<string, string>;
  result: string;
  start: string;
  chess960: boolean;
  comments?: string[];
  line: PgnMove[];
}

export interface PgnAnswer {
  count: number;
  broken: { index: number; line: number; message: string }[];
  game?: PgnGame;
}

export type Wdl = [number, number, number];
export type PlanName = "deep" | "paper" | "puct";

export interface Line {
  rank: number;
  depth: number;
  p: number;
  wdl: Wdl;
  cp?: number;
  mate?: number;
  bound?: string;
  uci: string[];
  san: string[];
}

export interface PlanInfo {
  depth: number;
  nodes: number;
  embeddings: number;
  visited: number;
  time: number;
  nps: number;
  lines: Line[];
}

export interface TreeNode {
  id: number;
  parent: number;
  ply: number;
  rank: number;
  uci: string;
  san: string;
  p: number;
  score: number;
  finished: boolean;
}

export interface TreeValue {
  id: number;
  p: number;
  value: number;
  bound: string;
  best: number;
}

export interface TreeEvent {
  nodes?: TreeNode[];
  values?: TreeValue[];
  truncated?: boolean;
}

export interface PlanDone {
  best: Move | null;
  p: number;
  reason: string;
  info?: PlanInfo;
}

export interface Limits {
  movetime?: number;
  nodes?: number;
  depth?: number;
  infinite?: boolean;
  clock?: { white: number; black: number; white_increment: number; black_increment: number };
}

export interface PlanRequest extends GameRequest {
  model?: string;
  plan: PlanName;
  anchored: boolean;
  limits: Limits;
  width?: number;
  elo?: number;
  multipv?: number;
  tree?: boolean;
  session?: string;
}

export type Point = [number, number];
export type LayoutName = "axis" | "umap";

export interface MapLayout {
  id: LayoutName;
  bounds: [number, number, number, number];
  white: Point;
  black: Point;
}

export interface MapAnswer {
  state: "computing" | "ready" | "failed";
  id: string | null;
  count: number;
  source: string;
  preview: boolean;
  stage: string;
  share: number;
  error?: string | { message: string };
  layouts: MapLayout[];
}

export interface MapPoint {
  id: number;
  fen: string | null;
  p: number;
  source: string;
  game: string | null;
  result: string | null;
  ply: number;
  move: string | null;
  similarity?: number;
  start?: string;
  moves?: string[];
  umap?: Point | null;
  axis?: Point | null;
}

export interface Placed {
  p: number;
  axis?: Point | null;
  umap?: Point | null;
}

export interface RankedMove extends Move, Placed {
  rank: number;
  change: number;
}

export interface RankAnswer extends Placed {
  fen: string;
  moves: RankedMove[];
}

export interface TracePly extends Placed {
  ply: number;
  fen: string;
  uci?: string;
  san?: string;
}

export interface TraceAnswer {
  plies: TracePly[];
}

export interface ExplainAnswer {
  fen: string;
  p: number;
  score: number;
  pieces: { square: string; piece: string; adds: number | null; its_square: number | null }[];
}

export type Judgement = "inaccuracy" | "mistake" | "blunder" | null;

export interface ReviewPly {
  ply: number;
  total: number;
  uci: string;
  san: string;
  fen: string;
  p: number;
  p_before: number;
  best: { uci: string; san: string; p: number; line: string[] } | null;
  loss: number;
  accuracy: number;
  judgement: Judgement;
}

export interface Moment {
  ply: number;
  san: string;
  p: number;
  p_before: number;
  judgement: Judgement;
  better?: string | null;
  text: string;
}

export interface ReviewDone {
  id: string;
  reason: string;
  accuracy: { white: number | null; black: number | null };
  moments: Moment[];
  pgn: string;
}

export interface MatchPlayer {
  name: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  score: number;
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
  elo_text?: string;
  los?: number;
}

export interface MatchEvent {
  name: string;
  games: number;
  total: number | null;
  updated: string;
  players: MatchPlayer[];
}

export interface MatchGame {
  number: number;
  white: string;
  black: string;
  result: string;
  ending: string;
  start: string;
  moves: string[];
  fen: string;
}

export type MetricsRow = Record<string, unknown>;
