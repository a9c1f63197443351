// The top-W tree of the paper's plan as it is expanded, with scores on its edges.
import type { PlanTree } from "../state/plan_stream";
import { colorOf } from "../ui/colors";
import { layoutTree, type TreeItem } from "./tree_layout";

const ROW = 15;
const COLUMN = 74;
const LEFT = 10;
const MOST_ROWS = 130;

function Edge({ item }: { item: TreeItem }) {
  const x0 = LEFT + item.parentX * COLUMN;
  const x1 = LEFT + item.x * COLUMN;
  const y0 = (item.parentY + 0.7) * ROW;
  const y1 = (item.y + 0.7) * ROW;
  const bend = x0 + COLUMN * 0.4;
  const classes = ["edge", item.best ? "best" : "", item.settled ? "" : "open"].join(" ");
  return (
    <g>
      <path class={classes} stroke={colorOf(item.p)} d={`M${x0} ${y0}C${bend} ${y0} ${bend - 12} ${y1} ${x0 + COLUMN * 0.42} ${y1}H${x1}`} />
      <text class={item.best ? "edge-text best" : "edge-text"} x={x0 + COLUMN * 0.42} y={y1 - 2.5}>
        {item.node.san} {Math.round(100 * item.p)}
      </text>
      <circle class="tree-dot" cx={x1} cy={y1} r={item.best ? 3.6 : 2.4} fill={colorOf(item.p)} />
    </g>
  );
}

export function PlanTreeView({ tree }: { tree: PlanTree; fen: string }) {
  const layout = layoutTree(tree, MOST_ROWS);
  const width = LEFT + layout.plies * COLUMN + 12;
  const height = (layout.rows + 0.8) * ROW;
  const best = layout.items.filter((item) => item.best).map((item) => item.node.san);
  return (
    <figure class="plan-tree">
      <div class="plan-tree-box" tabIndex={0} role="region" aria-label="Tree of the plan">
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Tree of ${tree.nodes.length} positions; best line ${best.join(" ")}`}>
          {[...layout.items].sort((a, b) => Number(a.best) - Number(b.best)).map((item) => <Edge key={item.node.id} item={item} />)}
          <circle class="tree-dot root" cx={LEFT} cy={(layout.rootY + 0.7) * ROW} r={4.5} />
        </svg>
      </div>
      <figcaption class="faint">
        {tree.nodes.length.toLocaleString("en")} positions in the tree
        {layout.hidden > 0 ? `, the first ${layout.plies} plies shown` : ""}
        {tree.truncated ? "; the server sends the first 20,000" : ""}. White's win probability on each edge; faint: not searched to the end.
      </figcaption>
    </figure>
  );
}
