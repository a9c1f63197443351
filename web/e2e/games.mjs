// Playing, and games in and out.
import { readFile } from "node:fs/promises";
import { button, check, clickMove, drag, equals, moves, openText, pieceOn, tab, until } from "./harness.mjs";

export const OPERA = `[Event "Paris Opera"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 { Philidor's defence } 3. d4 Bg4 (3... exd4 4. Nxd4) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6
7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6
15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;
const OTHER = `[Event "Other"]
[White "Second"]
[Black "Player"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
`;

/** King and queen against king: White mates in two, Black's only move in between is SOLIS's. */
export const ENDING = "#f=7k/8/5K2/8/8/8/8/6Q1_w_-_-_0_1&s=w";

export const tests = {
  "a game is played to mate, by drag and by click": async ({ open }) => {
    const { page, close } = await open(ENDING);
    await drag(page, "f6", "f7");
    await until(async () => (await pieceOn(page, "h7")) === "black king", "SOLIS moves its king to h7");
    await clickMove(page, "g1", "h1");
    await page.getByRole("heading", { name: "1-0 · checkmate" }).waitFor();
    await equals(() => moves(page), ["Kf7", "Kh7", "Qh1#"], "moves");
    await close();
  },

  "SOLIS opens as White, answers, and moves can be taken back": async ({ open }) => {
    const { page, close } = await open();
    await button(page, "Time").click();
    await page.getByLabel("Time per move").fill("100");
    await page.getByLabel("Clock").selectOption("5+3");
    await button(page, "Black").click();
    await button(page, "Start the game").click();
    await until(async () => (await moves(page)).length === 1, "SOLIS opens");
    await page.getByLabel("Type a move, for example Nf3").fill("a6");
    await page.keyboard.press("Enter");
    await until(async () => (await moves(page)).length === 3, "SOLIS answers");
    await equals(() => page.getByRole("timer").count(), 2, "clocks");
    const before = await moves(page);
    await button(page, "Take back").click();
    await page.getByLabel("Type a move, for example Nf3").fill("h6");
    await page.keyboard.press("Enter");
    await until(async () => (await moves(page)).length === 5, "SOLIS answers again");
    const after = await moves(page);
    check(before.every((move) => after.includes(move)), "what was taken back is kept as a variation");
    await button(page, "Resign").click();
    await page.getByRole("heading", { name: "1-0 · resignation" }).waitFor();
    await close();
  },

  "the paper's plan plays by width and depth and shows its tree": async ({ open }) => {
    const { page, close } = await open();
    await button(page, "W × S").click();
    await button(page, "Black").click();
    await button(page, "Start the game").click();
    await until(async () => (await moves(page)).length === 1, "SOLIS opens");
    await until(async () => (await page.locator(".plan-tree path").count()) >= 3, "the tree has edges");
    await close();
  },

  "a pawn becomes what is chosen": async ({ open }) => {
    const { page, close } = await open("#f=8/P6k/8/8/8/8/8/K7_w_-_-_0_1");
    await clickMove(page, "a7", "a8");
    await page.getByRole("button", { name: "knight" }).click();
    await equals(() => moves(page), ["a8=N"], "moves");
    await until(() => page.url().includes("*n"), "the link knows the knight");
    await close();
  },

  "Chess960: the king takes its rook to castle": async ({ open }) => {
    const { page, close } = await open("#f=1k6/8/8/8/8/8/8/1KR5_w_C_-_0_1&960=1");
    await until(async () => (await page.locator(".overlay .movable").count()) > 0, "the server tells the moves");
    await drag(page, "b1", "c1");
    await until(async () => (await moves(page)).length === 1, "the move is made");
    await equals(() => moves(page), ["O-O"], "moves");
    await equals(() => pieceOn(page, "g1"), "white king", "g1");
    await equals(() => pieceOn(page, "f1"), "white rook", "f1");
    await page.reload();
    await until(async () => (await pieceOn(page, "g1")) === "white king", "a reload keeps it");
    await close();
  },

  "games of a PGN are listed, opened and followed": async ({ open }) => {
    const { page, close } = await open();
    await openText(page, OPERA + "\n" + OTHER);
    const list = page.getByRole("region", { name: "Games of the file" });
    await list.getByText("Second – Player").waitFor();
    await until(async () => (await moves(page)).length === 35, "the first game with its variation");
    check((await page.locator(".moves").textContent()).includes("Philidor's defence"), "comments are shown");
    const slider = page.getByRole("slider", { name: "Move of the game" });
    await until(async () => (await slider.getAttribute("aria-valuemax")) === "33", "the graph has every move");
    await slider.focus();
    await page.keyboard.press("End");
    await equals(() => pieceOn(page, "d8"), "white rook", "d8 at the end");
    const box = await slider.boundingBox();
    await page.mouse.click(box.x + 1, box.y + box.height / 2);
    await equals(() => pieceOn(page, "e2"), "white pawn", "e2 at the start");
    await list.getByText("Second – Player").click();
    await until(async () => (await moves(page)).at(-1) === "Qh4#", "the second game");
    await page.reload();
    await list.getByText("Paul Morphy – Duke Karl / Count Isouard").waitFor();
    await equals(() => moves(page), ["f3", "e5", "g4", "Qh4#"], "moves after a reload");
    await close();
  },

  "a reload and a link bring back game, move and view": async ({ open }) => {
    const { page, close } = await open();
    await openText(page, OPERA);
    await until(async () => (await moves(page)).length === 35, "the game");
    await page.locator(".moves .variation .move").last().click();
    await tab(page, "Plan");
    await page.keyboard.press("f");
    const link = page.url();
    const board = await page.locator(".pieces").innerHTML();
    await page.reload();
    await page.locator(".moves .move[aria-current]").waitFor();
    await equals(() => page.locator(".moves .move[aria-current]").textContent(), "Nxd4", "the move after a reload");
    check((await page.locator(".moves").textContent()).includes("Philidor"), "comments survive a reload");
    await close();
    const again = await open(link.slice(link.indexOf("#")));
    await until(async () => (await moves(again.page)).length === 35, "the game from the link");
    await equals(() => again.page.locator(".moves .move[aria-current]").textContent(), "Nxd4", "the move of the link");
    await equals(() => again.page.getByRole("tab", { selected: true }).textContent(), "Plan", "the view of the link");
    const squares = (html) => [...html.matchAll(/translate\(([^)]*)\)/g)].map((match) => match[1]).sort().join(" ");
    check(squares(await again.page.locator(".pieces").innerHTML()) === squares(board), "the board is turned as it was");
    await again.close();
  },

  "text can be pasted and files dropped; nonsense is refused in words": async ({ open }) => {
    const { page, close } = await open();
    const give = (kind, text) =>
      page.evaluate(([event, data]) => {
        const transfer = new DataTransfer();
        transfer.setData("text/plain", data);
        const made = event === "paste" ? new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }) : new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(made);
      }, [kind, text]);
    await give("paste", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    await until(async () => (await pieceOn(page, "h1")) === "white rook" && (await pieceOn(page, "a1")) === "", "the FEN");
    await give("drop", OTHER);
    await until(async () => (await moves(page)).at(-1) === "Qh4#", "the dropped game");
    await give("paste", "8/8/8/8/8/8/8/8 w - - 0 1");
    await page.getByRole("alert").getByText("no legal position").waitFor();
    await equals(() => moves(page), ["f3", "e5", "g4", "Qh4#"], "the game is still there");
    await close();
  },

  "a position is set up by hand": async ({ open }) => {
    const { page, close } = await open();
    await tab(page, "Games");
    await button(page, "Set up a position").click();
    await button(page, "Clear").click();
    const put = async (piece, name) => {
      await page.getByRole("group", { name: "Piece to place" }).getByRole("button", { name: piece }).click();
      await page.getByRole("group", { name: "Squares" }).getByRole("button", { name, exact: true }).click();
    };
    await put("white king", "e1");
    await put("black king", "e8");
    await put("white queen", "d1");
    await button(page, "Black to move").click();
    await button(page, "Done").click();
    await until(async () => (await pieceOn(page, "d1")) === "white queen" && (await pieceOn(page, "a1")) === "", "the position");
    await clickMove(page, "e8", "e7");
    await equals(() => moves(page), ["Ke7"], "moves");
    await close();
  },

  "a game is reviewed, and the report can be kept": async ({ open }) => {
    const { page, close } = await open();
    await openText(page, OTHER);
    await until(async () => (await moves(page)).length === 4, "the game");
    await tab(page, "Review");
    await button(page, "Quick").click();
    await page.getByRole("heading", { name: "Key moments" }).waitFor();
    await until(async () => (await page.locator(".moments button").count()) > 0, "a moment is told");
    await page.locator(".moments button").last().click();
    const saved = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
      return readFile(await download.path(), "utf8");
    };
    const html = await saved("Page");
    check(html.includes("<svg") && !/(src|href)="https?:/.test(html), "the page is self-contained");
    check((await saved("Graph")).includes("<svg"), "the graph is SVG");
    check((await saved("Annotated PGN")).includes("%eval"), "the PGN has evaluations");
    await page.getByLabel("Show what each piece adds").check();
    await until(async () => (await page.locator(".heat-figure").count()) > 10, "pieces have figures");
    await close();
  },
};
