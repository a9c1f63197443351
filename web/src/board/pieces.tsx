// The pieces, drawn for this page: each is a few shapes on a field of 100 by 100, once per document.
import type { ComponentChildren, JSX } from "preact";
import { memo } from "../ui/memo";

const BASE = "M25 88V82C25 77 29 75 34 74H66C71 75 75 77 75 82V88Z";

const SHAPES: Record<string, () => ComponentChildren> = {
  P: () => (
    <>
      <path d="M41 47C43 58 38 67 32 74H68C62 67 57 58 59 47Z" />
      <path d="M36 47C36 44 38 43 41 43H59C62 43 64 44 64 47C64 50 62 51 59 51H41C38 51 36 50 36 47Z" />
      <circle cx="50" cy="31" r="13" />
      <path d={BASE} />
    </>
  ),
  R: () => (
    <>
      <path d="M36 44H64L67 74H33Z" />
      <path d="M27 20H38V28H45V20H55V28H62V20H73V37L65 45H35L27 37Z" />
      <path d={BASE} />
    </>
  ),
  N: () => (
    <>
      <path d="M33 75C33 62 45 56 47 47C41 52 35 53 31 58C28 62 21 62 19 56C17 50 25 43 29 34C31 29 34 26 38 23L37 12L47 19C66 20 78 35 77 58C77 65 75 70 73 75Z" />
      <path class="line" d="M62 32C68 39 70 48 69 60" />
      <circle class="mark" cx="40" cy="35" r="3.2" />
      <path d={BASE} />
    </>
  ),
  B: () => (
    <>
      <path d="M50 22C64 33 70 44 63 57L67 74H33L37 57C30 44 36 33 50 22Z" />
      <circle cx="50" cy="17" r="6" />
      <path class="line" d="M50 36V52M42.5 44H57.5M37 60H63" />
      <path d={BASE} />
    </>
  ),
  Q: () => (
    <>
      <path d="M18 34L33 52L35 26L45 49L50 22L55 49L65 26L67 52L82 34L71 74H29Z" />
      <circle cx="17" cy="31" r="5" />
      <circle cx="34.500" cy="22" r="5" />
      <circle cx="50" cy="18" r="5" />
      <circle cx="65.500" cy="22" r="5" />
      <circle cx="83" cy="31" r="5" />
      <path class="line" d="M31 64C43 60 57 60 69 64" />
      <path d={BASE} />
    </>
  ),
  K: () => (
    <>
      <path d="M47 8H53V14H59V20H53V28H47V20H41V14H47Z" />
      <path d="M50 50C40 30 17 34 20 51C22 61 29 66 31 74H69C71 66 78 61 80 51C83 34 60 30 50 50Z" />
      <path d="M50 26C57 26 61 32 58 39C56 43 53 46 50 50C47 46 44 43 42 39C39 32 43 26 50 26Z" />
      <path class="line" d="M33 66C43 62 57 62 67 66" />
      <path d={BASE} />
    </>
  ),
};

/** The definitions that `<Piece>` refers to; belongs into a document once. */
export const PieceDefinitions = memo(function PieceDefinitions() {
  return (
    <svg class="definitions" aria-hidden="true" width="0" height="0">
      <defs>
        {Object.entries(SHAPES).flatMap(([kind, shape]) =>
          ["w", "b"].map((color) => (
            <g key={color + kind} id={`piece-${color}${kind}`} class={`piece-shape ${color}`}>
              {shape()}
            </g>
          )),
        )}
      </defs>
    </svg>
  );
});

/** One piece within an SVG, at the origin, 100 units wide. */
export function Piece(props: { name: string } & JSX.SVGAttributes<SVGUseElement>) {
  const { name, ...rest } = props;
  return <use {...rest} href={`#piece-${name}`} />;
}
