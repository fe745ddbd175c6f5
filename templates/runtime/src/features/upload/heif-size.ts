/** Width and height of HEIF and AVIF images, in one pass over their boxes. */

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box {
  readonly name: string;
  /** Offsets of the content. */
  readonly start: number;
  readonly end: number;
}

const HEADER = 8;
const LONG_HEADER = 16;
/** Version and flags of a full box. */
const FLAGS = 4;

/** The boxes between two offsets, until one is malformed. The last one may end behind `end`, for a file of which only a part is there. */
function* boxesIn(view: DataView, start: number, end: number): Generator<Box> {
  for (let at = start; at + HEADER <= end;) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + LONG_HEADER <= end;
    const size = isLong ? Number(view.getBigUint64(at + HEADER)) : short === 0 ? end - at : short;
    const header = isLong ? LONG_HEADER : HEADER;
    if (size < header) return;
    const codes = [4, 5, 6, 7].map((offset) => view.getUint8(at + offset));
    yield { name: String.fromCharCode(...codes), start: at + header, end: Math.min(at + size, end) };
    at += size;
  }
}

function boxNamed(view: DataView, name: string, { start, end }: Pick<Box, 'start' | 'end'>): Box | undefined {
  for (const box of boxesIn(view, start, end)) if (box.name === name) return box;
  return undefined;
}

/** The size of the largest image: others are its tiles and thumbnails. Undefined if the head contains none. */
export function heifSize(head: Uint8Array): Size | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const meta = boxNamed(view, 'meta', { start: 0, end: head.byteLength });
  const iprp = meta && boxNamed(view, 'iprp', { start: meta.start + FLAGS, end: meta.end });
  const ipco = iprp && boxNamed(view, 'ipco', iprp);
  if (!ipco) return undefined;
  let largest: Size | undefined;
  for (const { name, start, end } of boxesIn(view, ipco.start, ipco.end)) {
    if (name !== 'ispe' || end - start < FLAGS + 8) continue;
    const size = { width: view.getUint32(start + FLAGS), height: view.getUint32(start + FLAGS + 4) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
