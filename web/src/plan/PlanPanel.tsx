// Analysis of the position on the board.
import { analysing, first, second } from "../state/analysis";
import * as game from "../state/game";
import { person } from "../state/opponent";
import { anchored, compare, lineCount, paperDepth, paperWidth, plan } from "../state/settings";
import { Slider } from "../ui/fields";
import { AnchoredChoice, ModelChoice, PlanChoice } from "./EngineControls";
import { PlanPane } from "./PlanPane";

function PlanOptions() {
  if (plan.value === "paper") {
    return (
      <div class="pair-of-fields">
        <Slider name="Width W" value={paperWidth.value} min={1} max={8} onChange={(value) => (paperWidth.value = value)} />
        <Slider name="Depth S" value={paperDepth.value} min={1} max={6} onChange={(value) => (paperDepth.value = value)} />
      </div>
    );
  }
  return <Slider name="Lines" value={lineCount.value} min={1} max={8} onChange={(value) => (lineCount.value = value)} />;
}

export function PlanPanel() {
  const playing = person.value !== null && game.outcome.value === null;
  return (
    <div class="stack">
      <div class="panel-head">
        <h2>Plan</h2>
        <button type="button" class={analysing.value ? "" : "primary"} aria-pressed={analysing.value} onClick={() => (analysing.value = !analysing.peek())}>
          {analysing.value ? "Stop" : "Analyse"}
        </button>
      </div>
      {playing && analysing.value && <p class="faint">You are playing SOLIS: this shows what it would do in your place.</p>}
      <PlanChoice />
      <PlanOptions />
      <ModelChoice />
      <div class="checks">
        <AnchoredChoice disabled={compare.value} />
        <label class="check">
          <input type="checkbox" checked={compare.value} onChange={(event) => (compare.value = event.currentTarget.checked)} />
          Side by side
        </label>
      </div>
      <div class={compare.value ? "panes two" : "panes"}>
        <PlanPane view={first} title={compare.value ? "Unanchored" : anchored.value ? "Anchored" : "Unanchored"} />
        {compare.value && <PlanPane view={second} title="Anchored" />}
      </div>
      {!analysing.value && <p class="faint">Lines, win probabilities and the tree appear here while SOLIS plans. Space starts and stops it.</p>}
    </div>
  );
}
