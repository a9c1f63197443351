// Which model plans, and how.
import type { PlanName } from "../api/types";
import { modelId } from "../state/analysis";
import { status } from "../state/connection";
import { anchored, model, plan } from "../state/settings";
import { Field, Segmented } from "../ui/fields";

const PLANS: { value: PlanName; name: string; tip: string }[] = [
  { value: "deep", name: "Deep", tip: "Alpha-beta over latent scores" },
  { value: "paper", name: "Paper", tip: "The W best moves of every position, S plies deep" },
  { value: "puct", name: "PUCT", tip: "Monte Carlo tree search over latent scores" },
];

export function ModelChoice() {
  const models = status.value?.models ?? [];
  return (
    <Field name="Model">
      <select value={modelId.value} onChange={(event) => (model.value = event.currentTarget.value)}>
        {models.length === 0 && <option value="">…</option>}
        {models.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name} · {one.kind}, {one.dims} dims
          </option>
        ))}
      </select>
    </Field>
  );
}

export function PlanChoice({ disabled = false }: { disabled?: boolean }) {
  return (
    <Field name="Plan">
      <Segmented label="Plan" options={PLANS} value={plan.value} disabled={disabled} onChoose={(value) => (plan.value = value)} />
    </Field>
  );
}

export function AnchoredChoice({ disabled = false }: { disabled?: boolean }) {
  return (
    <label class="check" title="Scores counted from the mean of what Black wins">
      <input type="checkbox" checked={anchored.value} disabled={disabled} onChange={(event) => (anchored.value = event.currentTarget.checked)} />
      Anchored scores
    </label>
  );
}
