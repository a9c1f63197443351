// The page: board, map and graph, panels beside them. On a narrow window the panels are chosen below.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { BoardArea } from "./board/BoardArea";
import { PieceDefinitions } from "./board/pieces";
import { MapPanel } from "./map/MapPanel";
import { MapTab } from "./map/MapTab";
import { PlanPanel } from "./plan/PlanPanel";
import { PlayPanel } from "./plan/PlayPanel";
import { ReviewPanel } from "./review/ReviewPanel";
import { WinGraph } from "./review/WinGraph";
import { dismiss, notice, spoken } from "./state/notices";
import { view } from "./state/settings";
import type { View } from "./state/address";
import { GamesPanel } from "./ui/GamesPanel";
import { Header } from "./ui/Header";
import { Icon } from "./ui/Icon";
import { MoveInput } from "./ui/MoveInput";
import { MoveList } from "./ui/MoveList";
import { WatchPage } from "./watch/WatchPage";

const TABS: { id: View; name: string; panel: () => ComponentChildren }[] = [
  { id: "play", name: "Play", panel: () => <PlayPanel /> },
  { id: "plan", name: "Plan", panel: () => <PlanPanel /> },
  { id: "map", name: "Map", panel: () => <MapTab /> },
  { id: "review", name: "Review", panel: () => <ReviewPanel /> },
  { id: "games", name: "Games", panel: () => <GamesPanel /> },
];

/** Whether something is being dragged over the page. */
export const dropping = signal(false);

function onTabKey(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const index = TABS.findIndex(({ id }) => id === view.peek());
  const next = TABS[(index + step + TABS.length) % TABS.length];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  view.value = next.id;
  document.getElementById(`tab-${next.id}`)?.focus();
}

function Tabs() {
  return (
    <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={onTabKey}>
      {TABS.map(({ id, name }) => (
        <button key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={view.value === id} aria-controls="panel" tabIndex={view.value === id ? 0 : -1} onClick={() => (view.value = id)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Studio() {
  const tab = TABS.find(({ id }) => id === view.value) ?? TABS[0];
  return (
    <main class={`studio view-${view.value}`}>
      <BoardArea />
      <MapPanel />
      <WinGraph />
      <aside class="side" aria-label="Panels">
        <div class="score-sheet">
          <MoveList />
          <MoveInput />
        </div>
        <Tabs />
        <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${view.value}`} tabIndex={0}>
          {tab?.panel()}
        </div>
      </aside>
    </main>
  );
}

function Notices() {
  const shown = notice.value;
  return (
    <>
      <div class="notices" role="alert">
        {shown && (
          <div class="notice" key={shown.id}>
            <p>
              {shown.text}
              {shown.hint && <span class="faint"> {shown.hint}</span>}
            </p>
            <button type="button" class="icon" aria-label="Close" onClick={dismiss}><Icon name="close" /></button>
          </div>
        )}
      </div>
      <p class="hidden" aria-live="polite">{spoken.value}</p>
    </>
  );
}

export function App() {
  return (
    <>
      <PieceDefinitions />
      <Header />
      {view.value === "watch" ? <main class="watch-main"><WatchPage /></main> : <Studio />}
      <Notices />
      {dropping.value && <div class="drop-hint" aria-hidden="true">Drop a FEN or PGN</div>}
    </>
  );
}
