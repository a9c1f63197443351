// Icons of 24 by 24, drawn with lines.

const PATHS = {
  first: "M6 5v14M18 5l-8 7 8 7",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  last: "M18 5v14M6 5l8 7-8 7",
  flip: "M7 20V5M7 5L3 9M7 5l4 4M17 4v15M17 19l-4-4M17 19l4-4",
  back: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  lasso: "M12 4c5 0 9 2.500 9 6s-4 6-9 6-9-2.500-9-6 4-6 9-6M8 15.500c1 1 1 2.500 0 4.500",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z",
  system: "M3 5h18v11H3zM8 20h8M12 16v4",
  sound: "M4 10v4h4l5 4V6L8 10ZM16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11",
  silent: "M4 10v4h4l5 4V6L8 10ZM17 10l4 4M21 10l-4 4",
  heat: "M12 3c1 4 5 6 5 11a5 5 0 0 1-10 0c0-2 1-3 2-4 .5 1.500 1.500 2 2.500 2C12 9 11 6 12 3Z",
  arrows: "M5 19L19 5M19 5h-7M19 5v7",
  close: "M6 6l12 12M18 6L6 18",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700L11.600 7.400M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1.700-1.700",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  up: "M6 15l6-6 6 6",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon-shape" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
