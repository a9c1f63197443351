// What the tests in a browser share: a `solis serve` of their own, a Chromium, and pages whose every
// error, refused resource and foreign request fails the test.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--disable-gpu",
  // WebGL by software, as the machine of a test has no graphics card.
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Waits are generous: a machine that builds at the same time is slow, not wrong. */
export const PATIENCE = 60_000;

export const folder = mkdtempSync(join(tmpdir(), "solis-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A server with a small map. `stop` ends it, `kill` does so without a warning. */
export async function startServer(solis, port, extra = []) {
  const args = ["serve", "--port", String(port), "--points", "900", "--cache", join(folder, "cache"), ...extra];
  const child = spawn(solis, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => String(text).includes("http://") && resolve());
    void ended.then((code) => reject(new Error(`solis serve ended with ${code}: ${said}`)));
  });
  const end = async (signal) => {
    child.kill(signal);
    await ended;
  };
  return { url: `http://127.0.0.1:${port}/`, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

export async function startBrowser() {
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...root] });
}

/** A fresh page in a context of its own; `close` checks that nothing went wrong in it. */
export async function openPage(browser, url, { size = { width: 1440, height: 900 }, theme = "light", touch = false, offlineIsFine = false } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, hasTouch: touch, acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const problems = [];
  const harmless = (text) => /ReadPixels|net::ERR_ABORTED/.test(text) || (offlineIsFine && /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to fetch/.test(text));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !harmless(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http") && host !== new URL(url).host) problems.push(`request to ${host}`);
  });
  await page.goto(url);
  await page.locator(".board").waitFor();
  return {
    page,
    close: async () => {
      await context.close();
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
  };
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

/** Asks again and again until the answer is yes; false where it never is. */
async function happens(ask) {
  const start = Date.now();
  do {
    if (await ask()) return true;
    await new Promise((resolve) => setTimeout(resolve, 60));
  } while (Date.now() - start < PATIENCE);
  return false;
}

export async function until(ask, what) {
  check(await happens(ask), `never happened: ${what}`);
}

/** Asks until the answer is the expected one: on a busy machine a page shows what was done a moment later. */
export async function equals(ask, expected, what) {
  const wanted = JSON.stringify(expected);
  let answer;
  const reached = await happens(async () => (answer = JSON.stringify(await ask())) === wanted);
  check(reached, `${what}: ${answer} instead of ${wanted}`);
}

export const square = (page, name) => page.locator(`.overlay [data-square="${name}"]`);
export const tab = (page, name) => page.getByRole("tab", { name }).click();
export const button = (page, name) => page.getByRole("button", { name, exact: true });

/** The names of all pieces by square, as a screen reader hears them. */
export async function pieceOn(page, name) {
  return ((await square(page, name).getAttribute("aria-label")) ?? "").split(", ")[1] ?? "";
}

export async function drag(page, from, to) {
  const a = await square(page, from).boundingBox();
  const b = await square(page, to).boundingBox();
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + b.width / 3, b.y + b.height / 3, { steps: 4 });
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2);
  await page.mouse.up();
}

export async function clickMove(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

export function moves(page) {
  return page.locator(".moves .move").allTextContents();
}

export async function openText(page, text) {
  await tab(page, "Games");
  await page.locator("textarea").fill(text);
  await button(page, "Open").click();
}
