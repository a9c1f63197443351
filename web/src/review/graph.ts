// The curve of the win probability as shapes; pure, so that it can be tested.

export interface GraphBox {
  width: number;
  height: number;
}

export interface Place {
  x: number;
  y: number;
}

/** Where the value of a ply is drawn. */
export function placeOf(box: GraphBox, count: number, ply: number, p: number): Place {
  const x = count <= 1 ? 0 : (ply / (count - 1)) * box.width;
  return { x, y: (1 - p) * box.height };
}

/** The ply nearest to a place on the x axis. */
export function plyAtX(box: GraphBox, count: number, x: number): number {
  if (count <= 1) return 0;
  return Math.min(count - 1, Math.max(0, Math.round((x / box.width) * (count - 1))));
}

/** The line through all values; gaps (null) interrupt it. */
export function curve(box: GraphBox, values: readonly (number | null)[]): string {
  let drawing = false;
  return values
    .map((p, ply) => {
      if (p === null) {
        drawing = false;
        return "";
      }
      const { x, y } = placeOf(box, values.length, ply, p);
      const command = drawing ? "L" : "M";
      drawing = true;
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}

/** The area between the line and 50 %; what lies above and below is cut out by the one who draws. */
export function area(box: GraphBox, values: readonly number[]): string {
  if (values.length < 2) return "";
  const middle = (box.height / 2).toFixed(1);
  return `M0 ${middle}${curve(box, values).replace("M", "L")}L${box.width.toFixed(1)} ${middle}Z`;
}
