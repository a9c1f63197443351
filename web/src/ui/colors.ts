// The scale of the atlas: dark green where Black wins, gold where White does. Lightness rises all the way,
// so that it can be read without seeing colours.
import { computed, signal } from "@preact/signals";
import { theme } from "../state/settings";

export type Rgb = readonly [number, number, number];

const LIGHT: readonly Rgb[] = [[6, 56, 31], [31, 98, 64], [85, 127, 84], [146, 159, 98], [200, 168, 60], [242, 178, 0]];
const DARK: readonly Rgb[] = [[20, 99, 63], [44, 122, 82], [98, 154, 102], [169, 184, 115], [227, 192, 76], [255, 207, 58]];

const systemDark = signal(false);

export const isDark = computed(() => (theme.value === "system" ? systemDark.value : theme.value === "dark"));
export const scale = computed(() => (isDark.value ? DARK : LIGHT));

export function watchTheme(): void {
  const query = matchMedia("(prefers-color-scheme: dark)");
  systemDark.value = query.matches;
  query.addEventListener("change", () => (systemDark.value = query.matches));
  isDark.subscribe((dark) => {
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  });
}

/** The colour of a win probability; values outside [0, 1] get that of the nearest end. */
export function scaleColor(stops: readonly Rgb[], p: number): Rgb {
  const place = Math.min(1, Math.max(0, p)) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  const share = place - below;
  const a = stops[below] ?? [0, 0, 0];
  const b = stops[below + 1] ?? a;
  return [0, 1, 2].map((i) => Math.round((a[i] ?? 0) + share * ((b[i] ?? 0) - (a[i] ?? 0)))) as unknown as Rgb;
}

export function css(color: Rgb, alpha = 1): string {
  return alpha === 1 ? `rgb(${color.join(" ")})` : `rgb(${color.join(" ")} / ${alpha})`;
}

export function colorOf(p: number, alpha = 1): string {
  return css(scaleColor(scale.value, p), alpha);
}
