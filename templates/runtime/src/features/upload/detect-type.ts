/** Detects the type of a file by its content. */
import { lazyImport } from '../../base/lazy-import.ts';
import type { FormFile } from './multipart.ts';
import { isUtf16Text, textType } from './text-type.ts';

/** `extension`: the detected extension, without a dot, for types that are missing in our table. */
export interface DetectedType {
  readonly mime: string;
  readonly extension: string | undefined;
}

const DETECTION_TIMEOUT_MS = 10_000;

/**
 * A container format of several types. Only the client can tell which; that is safe, since browsers render none of
 * them.
 */
const COMPOUND_FILE = 'application/x-cfb';
const COMPOUND_TYPES: ReadonlySet<string> = new Set([
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
]);

/** Detected types that are text: they still have to be checked for markup that a browser would run. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['application/xml', 'text/vtt', 'text/calendar', 'text/vcard']);

const loadFileType = lazyImport(() => import('file-type'));

async function byMagicNumber(path: string): Promise<{ mime: string; ext: string } | undefined> {
  const { fileTypeFromFile } = await loadFileType();
  try {
    return await fileTypeFromFile(path, { signal: AbortSignal.timeout(DETECTION_TIMEOUT_MS) } as object);
  } catch {
    // A corrupt file has no known type.
    return undefined;
  }
}

/** The type of a received file; undefined if unknown. The type that the client claims never overrides the content. */
export async function detectType({ temp, claimedType }: FormFile): Promise<DetectedType | undefined> {
  const found = isUtf16Text(temp.head) ? undefined : await byMagicNumber(temp.path);
  if (found === undefined || TEXT_TYPES.has(found.mime)) {
    const mime = textType(temp.head, found?.mime ?? claimedType);
    return mime === undefined ? undefined : { mime, extension: undefined };
  }
  if (found.mime === COMPOUND_FILE && COMPOUND_TYPES.has(claimedType)) {
    return { mime: claimedType, extension: undefined };
  }
  return { mime: found.mime.replace(/;.*$/u, ''), extension: found.ext };
}
