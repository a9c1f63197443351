// What each piece contributes to the projection, as colours for the board.
import { computed, effect, signal } from "@preact/signals";
import { isAbort, post } from "../api/client";
import type { ExplainAnswer } from "../api/types";
import { colorOf } from "../ui/colors";
import { signed } from "../ui/format";
import { modelId } from "./analysis";
import { epoch, online } from "./connection";
import { at, fen, gameTo } from "./game";
import { heat } from "./settings";

export const explanation = signal<(ExplainAnswer & { position: string }) | null>(null);

export const heatMap = computed(() => {
  const known = explanation.value;
  if (!heat.value || !known || known.position !== fen.value) return null;
  const most = Math.max(0.05, ...known.pieces.map((piece) => Math.abs(piece.adds ?? 0)));
  return new Map(
    known.pieces.flatMap(({ square, adds }) => {
      if (adds === null) return [];
      const share = adds / most;
      return [[square, { fill: colorOf(0.5 + share / 2, 0.25 + 0.6 * Math.abs(share)), text: signed(adds) }] as const];
    }),
  );
});

export function watchHeat(): void {
  effect(() => {
    const position = fen.value;
    const model = modelId.value;
    void epoch.value;
    if (!heat.value || !online.value || model === "") return undefined;
    const abort = new AbortController();
    post<ExplainAnswer>("explain", { ...gameTo(at.peek()), model }, abort.signal)
      .then((answer) => (explanation.value = { ...answer, position }))
      .catch((error: unknown) => {
        if (!isAbort(error)) console.info("explain:", error);
      });
    return () => abort.abort();
  });
}
