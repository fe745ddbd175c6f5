/** `Upload-Metadata` of the protocol tus: what clients say of a file before they send it. */
import { BadRequestError } from '../../../contract/errors.ts';
import { parseJson } from '../../../contract/values/parse-json.ts';
import { checkInfo, type FileInfo, type InfoScope } from '../file-info.ts';

/** In characters: a name and two texts, each of at most a kilobyte before they are encoded. */
const MAX_LENGTH = 16 * 1024;
const MAX_PAIRS = 50;
const PAIR = /^(?<key>[\u0021-\u002B\u002D-\u007E]+)(?: (?<value>[A-Za-z0-9+/]*={0,2}))?$/u;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function malformed(): BadRequestError {
  return new BadRequestError(
    'Upload-Metadata must be pairs of a key and a text in base64, such as: filename c2VhLnBuZw==,caption U2Vh',
  );
}

function decode(text: string): string {
  try {
    return UTF_8.decode(Buffer.from(text, 'base64'));
  } catch {
    throw malformed();
  }
}

function pairsOf(header: string): ReadonlyMap<string, string> {
  if (header.length > MAX_LENGTH) throw new BadRequestError(`Upload-Metadata is longer than ${MAX_LENGTH} characters`);
  const pairs = new Map<string, string>();
  const texts = header.trim() === '' ? [] : header.split(',');
  if (texts.length > MAX_PAIRS) throw new BadRequestError(`Upload-Metadata has more than ${MAX_PAIRS} pairs`);
  for (const text of texts) {
    const { key, value = '' } = PAIR.exec(text.trim())?.groups ?? {};
    if (key === undefined || pairs.has(key)) throw malformed();
    pairs.set(key, decode(value));
  }
  return pairs;
}

/** What the metadata of an upload says. */
interface SaidOfFile {
  readonly filename: string;
  readonly claimedType: string;
  readonly info: FileInfo;
}

/**
 * Keys that are not known are ignored: clients send some of their own. Throws BadRequestError for malformed metadata, and ValidationError
 * for texts and folders that a file can't have.
 */
export function parseMetadata(header: string, scope: InfoScope): SaidOfFile {
  const pairs = pairsOf(header);
  const folder = pairs.get('folder') ?? '';
  const tags = scope.tags && pairs.get('tags');
  const info = {
    alternativeText: pairs.get('alternativeText'),
    caption: pairs.get('caption'),
    folder: folder === '' ? undefined : Number(folder),
    ...(tags !== undefined && { tags: parseJson(tags) }),
  };
  return {
    // Uppy says `name` and `type`, others `filename` and `filetype`.
    filename: pairs.get('filename') ?? pairs.get('name') ?? '',
    claimedType: pairs.get('filetype') ?? pairs.get('type') ?? '',
    info: checkInfo(info, scope),
  };
}
