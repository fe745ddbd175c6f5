/** Width and height of JPEG images, in one pass over their segments. */

interface Size {
  readonly width: number;
  readonly height: number;
}

const MARKER = 0xff;
/** Between markers and after them, these mean nothing: stuffed bytes, fill bytes, and markers without a segment. */
const isAlone = (code: number): boolean =>
  code === 0 || code === MARKER || code === 1 || (code >= 0xd0 && code <= 0xd8);
/** Start of a frame, except the tables and the extension that have codes among them. */
const isFrame = (code: number): boolean =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;

/** Undefined if the head contains no frame. Bytes between segments are skipped, as by decoders. */
export function jpegSize(head: Uint8Array): Size | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = head.indexOf(MARKER); at !== -1 && at + 9 <= head.length; at = head.indexOf(MARKER, at)) {
    const code = view.getUint8(at + 1);
    if (isFrame(code)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += isAlone(code) ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
