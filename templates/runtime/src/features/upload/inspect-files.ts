/** Detects type and dimensions of received files, and rejects those that are not allowed. */
import { type ErrorPath, type Issue, ValidationError } from '../../contract/errors.ts';
import { extensionOf, isAcceptedType } from '../../contract/file-kinds.ts';
import type { UploadContext } from './context.ts';
import { detectType } from './detect-type.ts';
import { cleanName } from './file-info.ts';
import { type Dimensions, dimensionsOf } from './image-size.ts';
import type { FormFile } from './multipart.ts';
import type { UploadSettings } from './upload-settings.ts';

/** A received file, and its path in the request, for error messages. */
export interface ArrivedFile {
  readonly file: FormFile;
  readonly path: ErrorPath;
}

/** A received file with the properties detected from its bytes. */
export interface KnownFile {
  readonly file: FormFile;
  readonly mime: string;
  readonly ext: string;
  readonly dimensions: Dimensions | undefined;
}

/** Bytes in kilobytes, rounded to two decimals as in entries. */
export function kilobytes(bytes: number): number {
  return Math.round(bytes / 10) / 100;
}

const SAFE_EXTENSION = /^[a-z0-9]{1,10}$/u;

function extensionFor(mime: string, detected: string | undefined): string {
  const known = extensionOf(mime);
  if (known !== undefined) return known;
  return detected !== undefined && SAFE_EXTENSION.test(detected) ? `.${detected}` : '.bin';
}

function pixelsOf({ width, height }: Dimensions): number {
  return width * height;
}

/** Why an image is rejected. */
function refusalOf(size: Dimensions, { maxPixels, maxSide }: UploadSettings): string | undefined {
  if (Math.max(size.width, size.height) > maxSide) return `is wider or higher than ${maxSide} pixels`;
  return pixelsOf(size) > maxPixels ? `has more than ${maxPixels} pixels` : undefined;
}

/** Detects type and dimensions of a file, or returns why it is rejected. */
async function inspect({ settings }: UploadContext, { file, path }: ArrivedFile): Promise<KnownFile | Issue> {
  const { temp } = file;
  const name = cleanName(file.filename) || 'a file';
  if (temp.size === 0) return { path, message: `${name} is empty` };
  const type = await detectType(file);
  if (!type || !isAcceptedType(type.mime, settings.allowedTypes)) {
    return {
      path,
      message: `${name} can't be uploaded: its type, ${type?.mime ?? 'which is unknown'}, is not allowed`,
    };
  }
  const dimensions = await dimensionsOf(type.mime, temp.head);
  const refusal = dimensions && refusalOf(dimensions, settings);
  if (refusal !== undefined) return { path, message: `${name} ${refusal}` };
  return { file, mime: type.mime, ext: extensionFor(type.mime, type.extension), dimensions };
}

/** Inspects all files of a request. Throws a ValidationError that lists all rejected files. */
export async function inspectFiles(context: UploadContext, files: readonly ArrivedFile[]): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  const issues: Issue[] = [];
  const { maxTotalPixels } = context.settings;
  let pixels = 0;
  for (const file of files) {
    const found = await inspect(context, file);
    if ('message' in found) {
      issues.push(found);
      continue;
    }
    pixels += found.dimensions ? pixelsOf(found.dimensions) : 0;
    if (pixels <= maxTotalPixels) {
      known.push(found);
      continue;
    }
    const message = `the images of a request may have ${maxTotalPixels} pixels in total: upload the others in separate requests`;
    issues.push({ path: file.path, message });
    break;
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return known;
}
