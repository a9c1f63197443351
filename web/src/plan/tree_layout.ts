// Places for the nodes of the paper's plan: plies from left to right, brothers below each other.
import type { TreeNode } from "../api/types";
import type { PlanTree } from "../state/plan_stream";

export interface TreeItem {
  node: TreeNode;
  /** White's win probability: backed up where the plan has come back from there, latent otherwise. */
  p: number;
  settled: boolean;
  /** On the line that the plan would play. */
  best: boolean;
  x: number;
  y: number;
  parentX: number;
  parentY: number;
}

export interface TreeLayout {
  items: TreeItem[];
  /** Rows and columns taken. */
  rows: number;
  plies: number;
  /** Nodes that there is no room for. */
  hidden: number;
  rootY: number;
}

/** Ids on the line that the values lead along, from the root. */
export function bestPath(tree: PlanTree): Set<number> {
  const path = new Set<number>();
  for (let at = tree.values.get(0)?.best ?? 0; at > 0 && !path.has(at); at = tree.values.get(at)?.best ?? 0) path.add(at);
  return path;
}

/** How deep the tree can be shown within so many rows. */
function shownPlies(nodes: readonly TreeNode[], rows: number): number {
  const perPly = new Map<number, number>();
  for (const node of nodes) perPly.set(node.ply, (perPly.get(node.ply) ?? 0) + 1);
  let deepest = 0;
  while ((perPly.get(deepest + 1) ?? rows + 1) <= rows) deepest += 1;
  return deepest;
}

/** Rows and columns of one unit each; `rows` is the most there is room for. */
export function layoutTree(tree: PlanTree, rows: number): TreeLayout {
  const plies = shownPlies(tree.nodes, rows);
  const shown = tree.nodes.filter((node) => node.ply <= plies);
  const children = new Map<number, TreeNode[]>();
  for (const node of shown) children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  const heights = new Map<number, number>();
  let next = 0;
  const place = (id: number): number => {
    const below = children.get(id) ?? [];
    const ys = below.map((child) => place(child.id));
    const y = ys.length > 0 ? ((ys[0] ?? 0) + (ys.at(-1) ?? 0)) / 2 : next++;
    heights.set(id, y);
    return y;
  };
  const rootY = place(0);
  const path = bestPath(tree);
  const items = shown.map((node) => {
    const value = tree.values.get(node.id);
    return {
      node,
      p: value?.p ?? node.p,
      settled: value !== undefined,
      best: path.has(node.id),
      x: node.ply,
      y: heights.get(node.id) ?? 0,
      parentX: node.ply - 1,
      parentY: heights.get(node.parent) ?? rootY,
    };
  });
  return { items, rows: Math.max(1, next), plies, hidden: tree.nodes.length - shown.length, rootY };
}
