// Small parts of forms.
import type { ComponentChildren } from "preact";

export function Field(props: { name: string; children: ComponentChildren; value?: string }) {
  return (
    <label class="field">
      <span class="field-name">
        {props.name}
        {props.value !== undefined && <span class="field-value">{props.value}</span>}
      </span>
      {props.children}
    </label>
  );
}

interface SegmentedProps<T extends string> {
  label: string;
  options: readonly { value: T; name: string; tip?: string }[];
  value: T;
  disabled?: boolean;
  onChoose(value: T): void;
}

export function Segmented<T extends string>(props: SegmentedProps<T>) {
  return (
    <div class="segmented" role="group" aria-label={props.label}>
      {props.options.map(({ value, name, tip }) => (
        <button key={value} type="button" title={tip} disabled={props.disabled ?? false} aria-pressed={props.value === value} onClick={() => props.onChoose(value)}>
          {name}
        </button>
      ))}
    </div>
  );
}

interface SliderProps {
  name: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  shown?: string;
  onChange(value: number): void;
}

export function Slider(props: SliderProps) {
  return (
    <Field name={props.name} value={props.shown ?? String(props.value)}>
      <input
        type="range"
        aria-label={props.name}
        min={props.min}
        max={props.max}
        step={props.step ?? 1}
        value={props.value}
        onInput={(event) => props.onChange(Number(event.currentTarget.value))}
      />
    </Field>
  );
}
