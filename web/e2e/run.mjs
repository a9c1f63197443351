// The page in a real browser on a real server. Usage: node e2e/run.mjs SOLIS [part of a test's name]
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, freePort, openPage, startBrowser, startServer } from "./harness.mjs";
import { tests as games } from "./games.mjs";
import { tests as views } from "./views.mjs";

const [solis, wanted = ""] = process.argv.slice(2);
if (!solis) {
  console.error("usage: node e2e/run.mjs SOLIS [part of a test's name]");
  process.exit(2);
}
/** Pages at once: a browser waits more than it works. */
const LANES = 3;

/** A finished match of two games, and the beginning of a training run. */
function makeWatched() {
  const log = join(folder, "match.jsonl");
  const engines = ["first", "second"].flatMap((name) => ["--engine", `internal,name=${name},nodes=200`]);
  const played = spawnSync(solis, ["match", ...engines, "--games", "2", "--max-moves", "20", "--log", log, "--quiet"], { encoding: "utf8" });
  if (played.status !== 0) throw new Error(`solis match: ${played.stderr}`);
  const run = join(folder, "run");
  mkdirSync(run);
  const rows = [3, 2, 1.5].map((loss, i) => JSON.stringify({ step: 100 * i, loss, learning_rate: 0.001 / (i + 1) }));
  writeFileSync(join(run, "metrics.jsonl"), rows.join("\n") + "\n");
  return ["--match", log, "--run", run];
}

const models = join(import.meta.dirname, "../../models");
const extra = [...makeWatched(), "--model", `mini=${join(models, "mini.safetensors")}`];
const browser = await startBrowser();
const shared = await startServer(solis, await freePort(), extra);

/** A server that a test may kill; `kill` gives the way to start it again. */
async function ownServer() {
  const port = await freePort();
  let server = await startServer(solis, port, extra);
  return {
    url: server.url,
    kill: async () => {
      await server.kill();
      return async () => (server = await startServer(solis, port, extra));
    },
    stop: () => server.stop(),
  };
}

async function run(name, test) {
  const started = Date.now();
  const needsOwn = name.includes("killed");
  const own = needsOwn ? await ownServer() : null;
  try {
    await test({ open: (hash = "", options = {}) => openPage(browser, (own ?? shared).url + hash, options), restart: own });
    console.log(`ok   ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    console.log(`FAIL ${name}\n     ${String(error.stack ?? error).split("\n").slice(0, 6).join("\n     ")}`);
    return false;
  } finally {
    await own?.stop();
  }
}

const queue = Object.entries({ ...games, ...views }).filter(([name]) => name.includes(wanted));
let failed = 0;
const count = queue.length;
await Promise.all(
  Array.from({ length: LANES }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) if (!(await run(...next))) failed += 1;
  }),
);
await browser.close();
await shared.stop();
console.log(failed === 0 ? `page: ${count} tests ok` : `page: ${failed} of ${count} tests failed`);
process.exit(failed === 0 ? 0 : 1);
