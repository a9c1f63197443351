// Playing against SOLIS: the choices before a game, and the game's own buttons.
import { useSignal } from "@preact/signals";
import { ApiError, get } from "../api/client";
import { START_FEN, type Color } from "../chess/fen";
import { analysing } from "../state/analysis";
import { status } from "../state/connection";
import * as game from "../state/game";
import { tell } from "../state/notices";
import * as opponent from "../state/opponent";
import { clockChoice, strength, view, type Strength } from "../state/settings";
import { Field, Segmented, Slider } from "../ui/fields";
import { AnchoredChoice, ModelChoice, PlanChoice } from "./EngineControls";
import { PlanPane } from "./PlanPane";

const STANDARD: Record<Strength["kind"], Strength> = {
  elo: { kind: "elo", elo: 1500 },
  time: { kind: "time", milliseconds: 1000 },
  tree: { kind: "tree", width: 3, depth: 3 },
};

const CLOCKS = ["0+0", "1+0", "3+2", "5+3", "10+5", "15+10", "30+0"];

function StrengthChoice() {
  const chosen = strength.value;
  const [least, most] = status.value?.elo ?? [1300, 2500];
  return (
    <>
      <Field name="Strength">
        <Segmented
          label="Strength by"
          value={chosen.kind}
          options={[
            { value: "elo", name: "Elo", tip: "Weaker on purpose, like UCI_Elo" },
            { value: "time", name: "Time", tip: "Full strength, so long per move" },
            { value: "tree", name: "W × S", tip: "The paper's plan: width and depth" },
          ]}
          onChoose={(kind) => (strength.value = STANDARD[kind])}
        />
      </Field>
      {chosen.kind === "elo" && (
        <Slider name="Elo" value={Math.min(most, Math.max(least, chosen.elo))} min={least} max={most} step={50} onChange={(elo) => (strength.value = { kind: "elo", elo })} />
      )}
      {chosen.kind === "time" && (
        <Slider
          name="Time per move"
          value={chosen.milliseconds}
          min={100}
          max={10000}
          step={100}
          shown={`${(chosen.milliseconds / 1000).toFixed(1)} s`}
          onChange={(milliseconds) => (strength.value = { kind: "time", milliseconds })}
        />
      )}
      {chosen.kind === "tree" && (
        <div class="pair-of-fields">
          <Slider name="Width W" value={chosen.width} min={1} max={8} onChange={(width) => (strength.value = { ...chosen, width })} />
          <Slider name="Depth S" value={chosen.depth} min={1} max={6} onChange={(depth) => (strength.value = { ...chosen, depth })} />
        </div>
      )}
    </>
  );
}

function ClockField() {
  const { minutes, increment } = clockChoice.value;
  return (
    <Field name="Clock">
      <select
        value={`${minutes}+${increment}`}
        onChange={(event) => {
          const [base, bonus] = event.currentTarget.value.split("+").map(Number);
          clockChoice.value = { minutes: base ?? 0, increment: bonus ?? 0 };
        }}
      >
        {CLOCKS.map((text) => <option key={text} value={text}>{text === "0+0" ? "no clock" : text.replace("+", " + ")}</option>)}
      </select>
    </Field>
  );
}

async function start(side: Color | "any", chess960: boolean): Promise<void> {
  const color: Color = side === "any" ? (Math.random() < 0.5 ? "w" : "b") : side;
  if (!chess960) {
    opponent.startPlaying(color);
    return;
  }
  try {
    const drawn = await get<{ fen: string }>("chess960");
    opponent.startPlaying(color, drawn.fen, true);
  } catch (error) {
    if (error instanceof ApiError) tell(error.message, error.hint);
    else throw error;
  }
}

function NewGame() {
  const side = useSignal<Color | "any">("w");
  const variant = useSignal<"standard" | "chess960">("standard");
  const elsewhere = game.fen.value !== START_FEN && game.outcome.value === null;
  return (
    <div class="stack">
      <h2>Play SOLIS</h2>
      <Field name="You play">
        <Segmented
          label="You play"
          value={side.value}
          options={[{ value: "w", name: "White" }, { value: "any", name: "Either" }, { value: "b", name: "Black" }]}
          onChoose={(value) => (side.value = value)}
        />
      </Field>
      <StrengthChoice />
      <PlanChoice disabled={strength.value.kind === "tree"} />
      <div class="pair-of-fields">
        <ClockField />
        <Field name="Rules">
          <select value={variant.value} onChange={(event) => (variant.value = event.currentTarget.value as "standard" | "chess960")}>
            <option value="standard">Standard</option>
            <option value="chess960">Chess960</option>
          </select>
        </Field>
      </div>
      <ModelChoice />
      <AnchoredChoice />
      <div class="buttons stick">
        <button type="button" class="primary" onClick={() => void start(side.value, variant.value === "chess960")}>Start the game</button>
        {elsewhere && (
          <button type="button" onClick={() => opponent.playFromHere(side.value === "any" ? game.turn.peek() : side.value)}>Play from here</button>
        )}
      </div>
    </div>
  );
}

function Running() {
  const ended = opponent.verdict.value;
  const analyse = () => {
    opponent.stopPlaying();
    analysing.value = true;
    view.value = "plan";
  };
  const reviewIt = () => {
    opponent.stopPlaying();
    view.value = "review";
  };
  return (
    <div class="stack">
      <h2>{ended ? `${ended.result} · ${ended.reason}` : game.turn.value === opponent.person.value ? "Your move" : "SOLIS is thinking"}</h2>
      <div class="buttons">
        {ended === null && <button type="button" onClick={opponent.takeBack}>Take back</button>}
        {ended === null && <button type="button" onClick={opponent.resign}>Resign</button>}
        {ended === null && <button type="button" onClick={opponent.switchSides}>Switch sides</button>}
        {ended !== null && <button type="button" class="primary" onClick={reviewIt}>Review the game</button>}
        <button type="button" onClick={analyse}>Analyse</button>
        <button type="button" onClick={opponent.stopPlaying}>New game</button>
      </div>
      <PlanPane view={opponent.thoughts} title="What SOLIS thought" />
    </div>
  );
}

export function PlayPanel() {
  return opponent.person.value === null ? <NewGame /> : <Running />;
}
