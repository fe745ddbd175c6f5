/**
 * Signed addresses of files that not everyone may find. The database builds answers, so its statements put a mark before the name of each
 * file, and the answer gets the signatures of the names. Nobody knows the mark, so that no text of an entry is signed.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { SERVED_AT } from '../storage/storage.ts';
import type { Pieces } from './utf8-pieces.ts';

/** How addresses of files are marked in statements. */
export interface FileMarks {
  /** Takes the place of a base. */
  readonly mark: string;
  /** What precedes the names of files in their stored addresses. */
  readonly bases: readonly string[];
}

export interface FileUrls {
  readonly marks: FileMarks;
  /** JSON with signed addresses in place of marked names. */
  signed(text: string): string;
  signedPieces(pieces: Pieces): Pieces;
  /** Changes whenever the signatures of the same names do. */
  period(): number;
  /** How long the query string of an address permits reading the file, in seconds; undefined if it does not. */
  permits(name: string, query: string): number | undefined;
}

interface FileUrlOptions {
  readonly name: string;
  readonly secret: string;
  /** How long an address is valid at least, in seconds. It is valid at most twice as long. */
  readonly lifetime: number;
  /** The base of addresses in a bucket that files were stored with. */
  readonly publicUrl?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const SIGNATURE_BYTES = 18;
const KEY_BYTES = 32;
/** How many signed names are kept until the addresses change. */
const KEPT = 10_000;
const QUERY = /^expires=(?<expires>\d{1,12})&signature=(?<signature>[\w-]{24})$/u;

export function createFileUrls({
  name: server,
  secret,
  lifetime,
  publicUrl,
  now = Date.now,
}: FileUrlOptions): FileUrls {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `addresses of files of ${server}`, KEY_BYTES));
  const mark = `~${randomBytes(12).toString('hex')}~`;
  const marked = new RegExp(`${mark}([\\w.-]+)`, 'gu');
  const bases = [...(publicUrl === undefined ? [] : [`${publicUrl.replace(/\/+$/u, '')}/`]), SERVED_AT];
  const known = new Map<string, string>();
  let knownUntil = 0;

  const signature = (name: string, expires: number): Buffer =>
    createHmac('sha256', key).update(`${expires} ${name}`).digest().subarray(0, SIGNATURE_BYTES);

  /** In seconds since 1970. The same for all answers of a while, so that equal answers have equal bytes. */
  const expiry = (): number => (Math.floor(now() / 1000 / lifetime) + 2) * lifetime;

  function address(name: string): string {
    const expires = expiry();
    if (expires !== knownUntil || known.size >= KEPT) known.clear();
    knownUntil = expires;
    const found =
      known.get(name) ??
      `${SERVED_AT}${name}?expires=${expires}&signature=${signature(name, expires).toString('base64url')}`;
    known.set(name, found);
    return found;
  }

  const signed = (text: string): string =>
    text.includes(mark) ? text.replaceAll(marked, (_, name: string) => address(name)) : text;

  return {
    marks: { mark, bases },
    signed,
    signedPieces: (pieces) => {
      const isMarked = pieces.some((piece) => piece.includes(mark));
      return isMarked ? pieces.map((piece) => signed(String(piece))) : pieces;
    },
    period: expiry,
    permits(name, query) {
      const { expires = '', signature: given = '' } = QUERY.exec(query)?.groups ?? {};
      const left = Number(expires) - now() / 1000;
      const isRight =
        given !== '' && timingSafeEqual(Buffer.from(given, 'base64url'), signature(name, Number(expires)));
      return isRight && left > 0 ? Math.floor(left) : undefined;
    },
  };
}
