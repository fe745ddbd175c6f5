/** The type of a file that no magic number tells: text of some kind, or nothing that is known. */

/** Text that can be one of these is what the client says it is; a lie does no harm, since none of them is run. */
const CLAIMABLE: ReadonlySet<string> = new Set([
  'text/csv',
  'text/markdown',
  'text/calendar',
  'text/vcard',
  'text/vtt',
  'application/json',
]);

/** Bytes that no text has, by the sniffing rules of browsers. */
const BINARY = /[\u0000-\u0008\u000B\u000E-\u001A\u001C-\u001F]/u;
const UTF16_MARKS = ['\u00FE\u00FF', '\u00FF\u00FE'];
const UTF8_MARK = '\u00EF\u00BB\u00BF';

function markupType(text: string): string {
  const start = text.slice(0, 65_536).toLowerCase();
  if (start.includes('<svg') || start.includes(':svg')) return 'image/svg+xml';
  return start.startsWith('<?xml') && !start.includes('<html') ? 'application/xml' : 'text/html';
}

/**
 * The type of a file by its first bytes: markup is SVG, XML or HTML whatever the client says, other text is one of the
 * harmless types that the client may claim, else `text/plain`. Undefined if it is no text.
 */
export function textType(head: Uint8Array, claimed: string): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  if (UTF16_MARKS.some((mark) => bytes.startsWith(mark))) return 'text/plain';
  if (BINARY.test(bytes)) return undefined;
  const text = (bytes.startsWith(UTF8_MARK) ? bytes.slice(UTF8_MARK.length) : bytes).trimStart();
  if (text.startsWith('<')) return markupType(text);
  return CLAIMABLE.has(claimed) ? claimed : 'text/plain';
}
