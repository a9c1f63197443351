// Starts the page.
import { render } from "preact";
import { App, dropping } from "./app";
import { watchLists } from "./map/MapTab";
import { watchAnalysis } from "./state/analysis";
import { startTicking } from "./state/clock";
import { watchConnection } from "./state/connection";
import { watchSituation } from "./state/game";
import { watchHeat } from "./state/heat";
import { watchKeys } from "./state/keys";
import { watchMap } from "./state/map";
import { watchDrops } from "./state/open";
import { watchOpponent } from "./state/opponent";
import { watchReview } from "./state/review";
import { startSession } from "./state/session";
import { watchTrace } from "./state/trace";
import { watchWatched } from "./state/watch";
import { watchTheme } from "./ui/colors";
import "./style/index.css";

async function start(): Promise<void> {
  watchTheme();
  watchConnection();
  // Waits only where the link holds a game by the rules of Chess960, which the server knows.
  await startSession();
  for (const watch of [watchSituation, watchAnalysis, watchOpponent, watchMap, watchTrace, watchHeat, watchReview, watchLists, watchWatched]) watch();
  startTicking();
  watchKeys();
  watchDrops((over) => (dropping.value = over));
  render(<App />, document.getElementById("app") as HTMLElement);
}

void start();
