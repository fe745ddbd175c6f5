/** What a file is, by its content alone. */
import { late } from '../../base/late.ts';
import type { FormFile } from './multipart.ts';
import { textType } from './text-type.ts';

/** What was found: `extension` as the detection calls it, without a dot, for types that we have none for. */
export interface DetectedType {
  readonly mime: string;
  readonly extension: string | undefined;
}

const DETECTION_TIMEOUT_MS = 10_000;

/** One container for many types: which of them it is, only the client can say. None of them is shown by a browser. */
const COMPOUND_FILE = 'application/x-cfb';
const COMPOUND_TYPES: ReadonlySet<string> = new Set([
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
]);

/** Types that are text after all, so that it has to be told whether a browser would run it. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['application/xml', 'text/vtt', 'text/calendar', 'text/vcard']);

const loadFileType = late(() => import('file-type'));

async function byMagicNumber(path: string): Promise<{ mime: string; ext: string } | undefined> {
  const { fileTypeFromFile } = await loadFileType();
  try {
    return await fileTypeFromFile(path, { signal: AbortSignal.timeout(DETECTION_TIMEOUT_MS) } as object);
  } catch {
    // Broken inside: then it is nothing that we know.
    return undefined;
  }
}

/** The type of a file that has arrived; undefined if it is of no known one. What the client says never makes it another. */
export async function detectType({ temp, claimedType }: FormFile): Promise<DetectedType | undefined> {
  const found = await byMagicNumber(temp.path);
  if (found === undefined || TEXT_TYPES.has(found.mime)) {
    const mime = textType(temp.head, found?.mime ?? claimedType);
    return mime === undefined ? undefined : { mime, extension: undefined };
  }
  if (found.mime === COMPOUND_FILE && COMPOUND_TYPES.has(claimedType))
    return { mime: claimedType, extension: undefined };
  return { mime: found.mime.replace(/;.*$/u, ''), extension: found.ext };
}
