// Small pure parts: events, clocks, camera, grid, tree of a plan, graph, metrics, colours.
import { describe, expect, it } from "vitest";
import { EventParser } from "../src/api/events";
import { squareAt } from "../src/board/geometry";
import { followPieces } from "../src/board/follow_pieces";
import { nextSquare } from "../src/board/keys";
import { boardOf, START_FEN } from "../src/chess/fen";
import { panned, toMap, toScreen, WHOLE, zoomAt } from "../src/map/camera";
import { contains, Grid } from "../src/map/grid";
import { layoutTree } from "../src/plan/tree_layout";
import { area, curve, plyAtX } from "../src/review/graph";
import { clockFace, left, newClock, paused, pressed } from "../src/state/clock";
import { addToTree } from "../src/state/plan_stream";
import { scaleColor } from "../src/ui/colors";
import { evaluation, short } from "../src/ui/format";
import { seriesOf } from "../src/watch/metrics";

describe("server-sent events", () => {
  it("arrive whole however the bytes are cut", () => {
    const text = 'event: info\ndata: {"a": 1}\n\n: still there\n\nevent: done\r\ndata: {"b": [2]}\r\n\r\n';
    for (let cut = 0; cut <= text.length; cut++) {
      const parser = new EventParser();
      const events = [...parser.take(text.slice(0, cut)), ...parser.take(text.slice(cut))];
      expect(events).toEqual([{ name: "info", data: { a: 1 } }, { name: "done", data: { b: [2] } }]);
    }
  });
});

describe("clocks", () => {
  it("run for one side, add the increment after its move, and stop at nothing", () => {
    let clock = pressed(newClock(1, 2), "w", 0);
    expect(clock).toMatchObject({ white: 60000, black: 60000, running: "b" });
    expect(left(clock, "b", 5000)).toBe(55000);
    clock = pressed(clock, "b", 5000);
    expect(clock).toMatchObject({ black: 57000, running: "w" });
    expect(left(clock, "w", 1e9)).toBe(0);
    expect(paused(clock, 6000)).toMatchObject({ white: 59000, running: null });
  });

  it("show tenths only at the end", () => {
    expect([clockFace(3600000), clockFace(65000), clockFace(9950), clockFace(0)]).toEqual(["1:00:00", "1:05", "9.9", "0.0"]);
  });
});

describe("the board", () => {
  it("finds squares from both sides", () => {
    expect(squareAt(0.01, 0.01, false)).toBe("a8");
    expect(squareAt(0.01, 0.01, true)).toBe("h1");
    expect(squareAt(1, 0, false)).toBeNull();
    expect(nextSquare("e2", "ArrowUp", false)).toBe("e3");
    expect(nextSquare("e2", "ArrowUp", true)).toBe("e1");
    expect(nextSquare("h1", "ArrowRight", false)).toBe("h1");
    expect(nextSquare("h1", "x", false)).toBeNull();
  });

  it("follows a piece that moves and forgets one that is taken", () => {
    let id = 0;
    const before = followPieces([], boardOf(START_FEN), () => ++id);
    const knight = before.find((one) => one.square === "g1")!.id;
    const after = followPieces(before, boardOf("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R"), () => ++id);
    expect(after.find((one) => one.square === "f3")!.id).toBe(knight);
    expect(after).toHaveLength(32);
    expect(followPieces(after, boardOf("8/8/8/8/8/5N2/8/8"), () => ++id)).toHaveLength(1);
  });
});

describe("the map", () => {
  const size = { width: 400, height: 300 };

  it("zooms about the pointer", () => {
    const spot = { x: 90, y: 210 };
    const before = toMap(WHOLE, size, spot);
    const after = toMap(zoomAt(WHOLE, size, spot, 3), size, spot);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
    const there = toScreen(WHOLE, size, before);
    expect(there.x).toBeCloseTo(spot.x);
    expect(panned(WHOLE, size, 10, 0).x).toBeLessThan(0);
  });

  it("finds the nearest point and those inside a lasso, as a plain loop does", () => {
    let seed = 7;
    const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 1073741824 - 1;
    const places = Float32Array.from({ length: 4000 }, random);
    const grid = new Grid(places);
    const polygon = [{ x: -0.5, y: -0.6 }, { x: 0.7, y: -0.2 }, { x: 0.1, y: 0.8 }];
    const inside = Array.from({ length: 2000 }, (_, i) => i).filter((i) => contains(polygon, places[2 * i]!, places[2 * i + 1]!));
    expect(grid.inside(polygon).sort((a, b) => a - b)).toEqual(inside);
    for (let i = 0; i < 50; i++) {
      const spot = { x: random(), y: random() };
      let best = -1;
      let least = 0.04;
      for (let j = 0; j < 2000; j++) {
        const distance = Math.hypot(places[2 * j]! - spot.x, places[2 * j + 1]! - spot.y);
        if (distance < least) [best, least] = [j, distance];
      }
      expect(grid.nearest(spot, 0.04) ?? -1).toBe(best);
    }
  });
});

describe("the tree of a plan", () => {
  const node = (id: number, parent: number, ply: number) => ({ id, parent, ply, rank: 1, uci: "e2e4", san: `m${id}`, p: 0.5, score: 0, finished: false });

  it("puts parents between their children and marks the best line", () => {
    let tree = addToTree(null, { nodes: [node(1, 0, 1), node(2, 0, 1), node(3, 1, 2), node(4, 1, 2)] });
    tree = addToTree(tree, { values: [{ id: 0, p: 0.6, value: 1, bound: "exact", best: 1 }, { id: 1, p: 0.6, value: 1, bound: "exact", best: 4 }] });
    const layout = layoutTree(tree, 10);
    const at = (id: number) => layout.items.find((item) => item.node.id === id)!;
    expect(at(1).y).toBe((at(3).y + at(4).y) / 2);
    expect(layout.items.filter((item) => item.best).map((item) => item.node.id)).toEqual([1, 4]);
    expect(at(1)).toMatchObject({ p: 0.6, settled: true });
    expect(at(2).settled).toBe(false);
    expect(layout).toMatchObject({ rows: 3, plies: 2, hidden: 0 });
  });

  it("shows whole plies only, as many as there is room for", () => {
    const tree = addToTree(null, { nodes: [node(1, 0, 1), node(2, 1, 2), node(3, 1, 2), node(4, 2, 3), node(5, 2, 3), node(6, 3, 3)] });
    expect(layoutTree(tree, 2)).toMatchObject({ plies: 2, hidden: 3 });
  });

  it("ends where values lead in a circle", () => {
    const tree = addToTree(null, { nodes: [node(1, 0, 1)], values: [{ id: 0, p: 0, value: 0, bound: "", best: 1 }, { id: 1, p: 0, value: 0, bound: "", best: 1 }] });
    expect(layoutTree(tree, 5).items).toHaveLength(1);
  });
});

describe("figures", () => {
  it("of the graph lie where they should", () => {
    const box = { width: 100, height: 50 };
    expect(curve(box, [0, 1])).toBe("M0.0 50.0L100.0 0.0");
    expect(curve(box, [0.5, null, 0.5])).toBe("M0.0 25.0M100.0 25.0");
    expect(area(box, [0.5])).toBe("");
    expect([plyAtX(box, 5, -9), plyAtX(box, 5, 51), plyAtX(box, 5, 500), plyAtX(box, 1, 5)]).toEqual([0, 2, 4, 0]);
  });

  it("of a run become series, losses first", () => {
    const rows = [{ step: 0, lr: 1, loss: 2, note: "x", eval: { r2: 0.1 } }, { step: 10, lr: 0.5, loss: 1, eval: { r2: 0.2 } }, { step: 20, loss: Number.NaN }];
    const series = seriesOf(rows);
    expect(series.map((one) => one.name)).toEqual(["loss", "eval.r2", "lr"]);
    expect(series[0]).toMatchObject({ steps: [0, 10], values: [2, 1] });
  });

  it("are short and signed for White", () => {
    expect([short(950), short(15230), short(2.5e6)]).toEqual(["950", "15 k", "2.5 M"]);
    expect([evaluation({ cp: -31 }), evaluation({ mate: -3 }), evaluation({ cp: 5 })]).toEqual(["−0.31", "−M3", "+0.05"]);
  });

  it("get colours between the ends of the scale", () => {
    const stops = [[0, 0, 0], [100, 200, 50]] as const;
    expect([scaleColor(stops, -1), scaleColor(stops, 0.5), scaleColor(stops, 2)]).toEqual([[0, 0, 0], [50, 100, 25], [100, 200, 50]]);
  });
});
