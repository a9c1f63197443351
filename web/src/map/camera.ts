// What part of the map is seen. The map lies in a square from -1 to 1, y upwards; the screen is in pixels.

export interface Camera {
  /** Centre of what is seen. */
  x: number;
  y: number;
  /** 1 shows the whole map. */
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Spot {
  x: number;
  y: number;
}

export const WHOLE: Camera = { x: 0, y: 0, zoom: 1 };
const MOST = 400;
const MARGIN = 0.92;

/** Pixels per unit of the map. */
export function unit(camera: Camera, size: Size): number {
  return (Math.min(size.width, size.height) / 2) * MARGIN * camera.zoom;
}

export function toScreen(camera: Camera, size: Size, spot: Spot): Spot {
  const scale = unit(camera, size);
  return { x: size.width / 2 + (spot.x - camera.x) * scale, y: size.height / 2 - (spot.y - camera.y) * scale };
}

export function toMap(camera: Camera, size: Size, spot: Spot): Spot {
  const scale = unit(camera, size);
  return { x: camera.x + (spot.x - size.width / 2) / scale, y: camera.y - (spot.y - size.height / 2) / scale };
}

/** Zooms so that what is under a place of the screen stays there. */
export function zoomAt(camera: Camera, size: Size, spot: Spot, factor: number): Camera {
  const before = toMap(camera, size, spot);
  const zoomed = { ...camera, zoom: Math.min(MOST, Math.max(0.6, camera.zoom * factor)) };
  const after = toMap(zoomed, size, spot);
  return clamp({ ...zoomed, x: zoomed.x + before.x - after.x, y: zoomed.y + before.y - after.y });
}

export function panned(camera: Camera, size: Size, dx: number, dy: number): Camera {
  const scale = unit(camera, size);
  return clamp({ ...camera, x: camera.x - dx / scale, y: camera.y + dy / scale });
}

function clamp(camera: Camera): Camera {
  const within = (value: number) => Math.min(1.2, Math.max(-1.2, value));
  return { ...camera, x: within(camera.x), y: within(camera.y) };
}
