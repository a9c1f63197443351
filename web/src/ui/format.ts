// Numbers for people.

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** 1234567 as "1.2 M". */
export function short(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} k`;
  return String(Math.round(count));
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** "+0.31", "−1.20", "M5" for White's mate in five, "−M5" for Black's. */
export function evaluation(line: { cp?: number | undefined; mate?: number | undefined }): string {
  if (line.mate) return `${line.mate < 0 ? "−" : ""}M${Math.abs(line.mate)}`;
  const pawns = (line.cp ?? 0) / 100;
  return `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`;
}

export function signed(value: number, digits = 2): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}
