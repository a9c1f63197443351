// Plan, map, watch; models; sizes; keyboard; accessibility; a server that goes away.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { button, check, clickMove, equals, moves, openText, pieceOn, square, tab, until } from "./harness.mjs";
import { OPERA } from "./games.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { size: { width: 390, height: 844 }, touch: true };

/** Serious findings of axe on the page as it is. The engine is brought in past the page's policy, which is not loosened. */
async function seriousFindings(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, { resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations
      .filter((v) => v.impact === "serious" || v.impact === "critical")
      .map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(" | "))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(result.value);
}

async function scrollsSideways(page) {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

async function mapBox(page) {
  await until(async () => Number(await page.locator(".map-canvas").getAttribute("data-points")) === 900, "the map is there");
  return page.locator(".map-canvas").boundingBox();
}

export const tests = {
  "lines come with win probability, WDL and arrows; a line can be followed": async ({ open }) => {
    const { page, close } = await open();
    await tab(page, "Plan");
    await button(page, "Analyse").click();
    await until(async () => (await page.locator(".lines .line").count()) === 3, "three lines");
    await until(async () => (await page.locator(".board .arrow").count()) === 3, "three arrows");
    await until(async () => (await page.locator(".figures").textContent()).includes("embeddings"), "embeddings are counted");
    check(/White wins \d+ %, draw \d+ %/.test(await page.locator(".wdl").first().getAttribute("aria-label")), "WDL is told");
    // Read and clicked at once, when the first line has a second move: lines change while SOLIS plans.
    const line = page.locator(".lines .line").first();
    const san = await line.locator(".line-moves .move").nth(1).evaluate((move) => {
      move.click();
      return move.textContent;
    });
    await until(async () => (await moves(page)).length === 2, "the line is on the board");
    check((await moves(page)).includes(san), "it is the line's move");
    await button(page, "Stop").click();
    await close();
  },

  "anchored and unanchored plans stand side by side, with the paper's trees": async ({ open }) => {
    const { page, close } = await open();
    await tab(page, "Plan");
    await button(page, "Paper").click();
    await page.getByLabel("Depth S").fill("2");
    await page.getByLabel("Side by side").check();
    await button(page, "Analyse").click();
    await until(async () => (await page.locator(".plan-tree").count()) === 2, "two trees");
    await until(async () => (await page.locator(".figures .state").allTextContents()).every((text) => text.includes("done")), "both are done");
    await equals(() => page.locator(".plan-tree").first().locator(".edge-text").count(), 12, "three moves and three answers to each");
    await close();
  },

  "models can be switched": async ({ open }) => {
    const { page, close } = await open();
    await until(async () => (await page.getByLabel("Model").locator("option").count()) === 2, "two models");
    const bar = page.locator(".win-bar");
    await until(async () => /\d/.test(await bar.getAttribute("aria-label")), "a win probability");
    await openText(page, OPERA);
    const slider = page.getByRole("slider", { name: "Move of the game" });
    const graph = () => page.locator(".win-graph .curve").last().getAttribute("d");
    await until(async () => (await slider.getAttribute("aria-valuemax")) === "33", "the graph");
    const before = await graph();
    await tab(page, "Plan");
    await page.getByLabel("Model").selectOption("mini");
    await until(async () => (await graph()) !== before, "another graph");
    await until(() => page.url().includes("m=mini"), "the link names the model");
    await button(page, "Analyse").click();
    await until(async () => (await page.locator(".lines .line").count()) > 0, "it plans");
    await close();
  },

  "the map shows points, layouts, a lasso's catch and alike positions": async ({ open }) => {
    const { page, close } = await open();
    await openText(page, OPERA);
    await tab(page, "Map");
    const box = await mapBox(page);
    await until(async () => (await page.locator(".point-list li").count()) === 12, "alike positions");
    await button(page, "Axis").click();
    await until(() => page.url().includes("l=axis"), "the link knows the layout");
    await button(page, "UMAP").click();
    await page.waitForTimeout(1200);
    // Read as soon as it is there: on a busy machine the card may be that of a move before.
    const cards = [];
    for (let i = 1; i < 500 && cards.length === 0; i++) {
      await page.mouse.move(box.x + box.width * ((i * 0.6180339) % 1), box.y + box.height * (0.15 + 0.7 * ((i * 0.7548776) % 1)));
      await page.waitForTimeout(40);
      cards.push(...(await page.locator(".hover-card").allTextContents()));
    }
    check(cards.length > 0, "a point under the pointer shows its card");
    check(/White wins \d+ %/.test(cards[0]), "with its win probability");
    await page.getByRole("button", { name: "Select points with a lasso" }).click();
    const corner = (x, y) => page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps: 5 });
    await corner(0.05, 0.05);
    await page.mouse.down();
    for (const [x, y] of [[0.95, 0.05], [0.95, 0.95], [0.05, 0.95]]) await corner(x, y);
    await page.mouse.up();
    await page.getByRole("heading", { name: /positions selected/ }).waitFor();
    await until(async () => (await page.getByRole("region", { name: "Selected points" }).locator("li").count()) > 0, "they are listed");
    const link = page.url();
    await page.getByRole("region", { name: "Selected points" }).locator("li button").first().click();
    await until(() => page.url() !== link, "a click opens the game of a point");
    await page.goBack();
    await until(async () => (await moves(page)).includes("Qb8+"), "the way back leads to the game before");
    await close();
  },

  "a match and a training run are watched": async ({ open }) => {
    const { page, close } = await open();
    await button(page, "Watch").click();
    await page.getByRole("table").getByText("first").waitFor();
    await until(async () => (await page.locator(".match-boards li").count()) === 2, "two boards");
    await page.getByRole("button", { name: /Training/ }).click();
    await until(async () => (await page.locator(".curve-card canvas").count()) >= 2, "curves");
    await equals(() => page.locator(".curve-card figcaption b").first().textContent(), "1.5", "the last loss");
    await close();
  },

  "a phone shows everything without scrolling sideways": async ({ open }) => {
    const { page, close } = await open("", PHONE);
    for (const name of ["Play", "Plan", "Map", "Review", "Games"]) {
      await tab(page, name);
      check(!(await scrollsSideways(page)), `${name} scrolls sideways`);
    }
    const board = await page.locator(".board").boundingBox();
    check(board.width > 330 && board.x >= 0 && board.x + board.width <= 390, "the board has the window's width");
    await square(page, "e2").tap();
    await square(page, "e4").tap();
    await until(async () => (await moves(page)).length === 1, "a tapped move");
    await page.setViewportSize({ width: 1440, height: 900 });
    await until(async () => (await page.locator(".map-canvas").boundingBox())?.width > 300, "the map comes back on a wide window");
    await equals(() => pieceOn(page, "e4"), "white pawn", "the game is still there");
    await close();
  },

  "everything important works by keyboard": async ({ open }) => {
    const { page, close } = await open();
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.hasAttribute("data-square"))) break;
    }
    await equals(() => page.evaluate(() => document.activeElement?.getAttribute("data-square")), "e2", "Tab reaches the board");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await until(async () => (await square(page, "e4").getAttribute("aria-label")).includes("possible goal"), "goals are named");
    await page.keyboard.press("Enter");
    await equals(() => moves(page), ["e4"], "a move by Enter");
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await equals(() => moves(page), ["e4", "e5"], "and the answer");
    await page.locator("#tab-play").focus();
    await page.keyboard.press("ArrowRight");
    await equals(() => page.getByRole("tab", { selected: true }).textContent(), "Plan", "arrows change the panel");
    await page.locator("#panel").focus();
    await page.keyboard.press(" ");
    await until(async () => (await page.locator(".lines .line").count()) > 0, "Space analyses");
    await page.keyboard.press(" ");
    await page.keyboard.press("ArrowLeft");
    await equals(() => page.locator(".moves .move[aria-current]").textContent(), "e4", "arrows walk through the game");
    await page.keyboard.press("u");
    await equals(() => page.locator(".moves .move[aria-current]").count(), 0, "U takes back");
    await close();
  },

  "axe finds nothing serious": async ({ open }) => {
    const runs = [
      [{ theme: "light" }, ["Play", "Plan", "Map", "Review", "Games"]],
      [{ theme: "dark" }, ["Plan", "Review"]],
      [{ ...PHONE, theme: "light" }, ["Play", "Map"]],
    ];
    for (const [options, names] of runs) {
      const { page, close } = await open("", options);
      await openText(page, OPERA);
      await until(async () => (await moves(page)).length === 35, "the game");
      for (const name of names) {
        await tab(page, name);
        await equals(() => seriousFindings(page), [], `${name}, ${JSON.stringify(options)}`);
      }
      await button(page, "Watch").click();
      await page.getByRole("table").waitFor();
      await equals(() => seriousFindings(page), [], `Watch, ${JSON.stringify(options)}`);
      await close();
    }
  },

  "a server that is killed in the middle of a game is found again": async ({ open, restart }) => {
    const { page, close } = await open("", { offlineIsFine: true });
    await button(page, "Time").click();
    await page.getByLabel("Time per move").fill("3000");
    await button(page, "Start the game").click();
    await clickMove(page, "e2", "e4");
    await until(async () => (await page.locator(".player .note").allTextContents()).some((text) => text.includes("thinking")), "SOLIS thinks");
    const start = await restart.kill();
    await page.getByText("Server away").waitFor();
    await equals(() => moves(page), ["e4"], "the game is still there");
    await start();
    await until(async () => (await moves(page)).length === 2, "SOLIS answers on the new server");
    await equals(() => page.getByText("Server away").count(), 0, "the page knows that it is back");
    await close();
  },
};
