/** Detects text types, which have no magic number. */

/** Text types for which the client's claim is accepted. A false claim is harmless, since browsers execute none of them. */
const CLAIMABLE: ReadonlySet<string> = new Set([
  'text/csv',
  'text/markdown',
  'text/calendar',
  'text/vcard',
  'text/vtt',
  'application/json',
]);

/** Binary data bytes, as defined by the MIME Sniffing Standard. */
const BINARY = /[\u0000-\u0008\u000B\u000E-\u001A\u001C-\u001F]/u;
const UTF16_MARKS = ['\u00FE\u00FF', '\u00FF\u00FE'];
const UTF8_MARK = '\u00EF\u00BB\u00BF';

function markupType(text: string): string {
  const start = text.slice(0, 65_536).toLowerCase();
  if (start.includes('<svg') || start.includes(':svg')) return 'image/svg+xml';
  return start.startsWith('<?xml') && !start.includes('<html') ? 'application/xml' : 'text/html';
}

/** Whether the first bytes are those of a text in UTF-16, with its mark: half of the marks are also the sync word of MPEG audio. */
export function isUtf16Text(head: Uint8Array): boolean {
  const [first, second] = head;
  const isLittle = first === 0xff && second === 0xfe;
  if (!isLittle && !(first === 0xfe && second === 0xff)) return false;
  const decoder = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true });
  try {
    // As a stream: a character may continue behind these bytes.
    return !BINARY.test(decoder.decode(head, { stream: true }));
  } catch {
    return false;
  }
}

/**
 * The type of a text file, from its first bytes. Markup is SVG, XML or HTML, whatever the client claims; other text is the claimed type
 * if it is claimable, else `text/plain`. Undefined for binary data.
 */
export function textType(head: Uint8Array, claimed: string): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  if (UTF16_MARKS.some((mark) => bytes.startsWith(mark))) return 'text/plain';
  if (BINARY.test(bytes)) return undefined;
  const text = (bytes.startsWith(UTF8_MARK) ? bytes.slice(UTF8_MARK.length) : bytes).trimStart();
  if (text.startsWith('<')) return markupType(text);
  return CLAIMABLE.has(claimed) ? claimed : 'text/plain';
}
