/** Content hashes. Line endings don't count: a checkout with CRLF has the same hashes. */
import { hash } from 'node:crypto';

/** SHA-256 of a text in UTF-8, in hex: what `sha256sum` prints for the file. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The text with every CRLF replaced by LF. */
export function normalizeLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** SHA-256 of a file's bytes, in hex, as if its lines ended in LF. */
export function hashContent(bytes: Buffer): string {
  if (!bytes.includes('\r\n')) return hash('sha256', bytes, 'hex');
  return hash('sha256', Buffer.from(normalizeLineEnds(bytes.toString('latin1')), 'latin1'), 'hex');
}
