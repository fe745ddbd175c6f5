/** The properties of a file that clients may set: `fileInfo`, as JSON text. The server determines all others. */
import * as z from 'zod';
import { BadRequestError, type Issue, ValidationError } from '../../contract/errors.ts';
import { type Crop, SMALLEST_CROP } from '../../contract/crop.ts';
import { TAG_LIMITS } from '../../contract/upload-tags.ts';
import { FOCAL_STEPS, type FocalPoint } from '../../contract/focal-point.ts';
import { castScalar } from '../../contract/attribute-types/scalar-type.ts';
import { parseJson } from '../../contract/values/parse-json.ts';

/** Undefined properties stay as they are. */
export interface FileInfo {
  readonly name?: string | undefined;
  readonly alternativeText?: string | null | undefined;
  readonly caption?: string | null | undefined;
  /** The id of its folder, if the server has folders. */
  readonly folder?: number | null | undefined;
  /** If the server has them. */
  readonly tags?: readonly string[] | undefined;
  /** If images have one. Null: they are cut around the middle. */
  readonly focalPoint?: FocalPoint | null | undefined;
  /** If images have one. Null: their sizes show all of them. */
  readonly crop?: Crop | null | undefined;
}

const MAX_LENGTH = 255;
const text = z
  .string('must be a string')
  .refine((value) => [...value].length <= MAX_LENGTH, `must be at most ${MAX_LENGTH} characters`)
  .refine((value) => castScalar('string', value).ok, 'must be text without U+0000');

const FOLDER = 'must be the id of a folder, or null';
const folderId = z.int(FOLDER).positive(FOLDER).max(2_147_483_647, FOLDER);

const PERCENT = 'must be a number from 0 to 100';
const percent = z
  .number(PERCENT)
  .min(0, PERCENT)
  .max(100, PERCENT)
  .transform((value) => Math.round(value * FOCAL_STEPS) / FOCAL_STEPS);

const SHARE = `must be a number from ${SMALLEST_CROP} to 100`;
const share = percent.refine((value) => value >= SMALLEST_CROP, SHARE);

/** Sums of hundredths are not exact. */
function isWithin(start: number, length: number): boolean {
  return Math.round((start + length) * FOCAL_STEPS) <= 100 * FOCAL_STEPS;
}

const fileInfo = z.strictObject({
  name: text.nullish(),
  alternativeText: text.nullish(),
  caption: text.nullish(),
  // Strapi clients send it also where there are no folders.
  folder: z.null('must be null, since there are no folders here').optional(),
});
const FOLDER_INFO = { folder: folderId.nullish() };
const FOCAL_POINT_INFO = { focalPoint: z.strictObject({ x: percent, y: percent }).nullish() };
const CROP_INFO = {
  crop: z
    .strictObject({ x: percent, y: percent, width: share, height: share })
    .refine(({ x, y, width, height }) => isWithin(x, width) && isWithin(y, height), 'must be within the image')
    .nullish(),
};

const TAG = `must have 1 to ${TAG_LIMITS.length} characters, and no line breaks`;
const tag = z
  .string('must be a string')
  .transform((value) => value.trim())
  .refine((value) => value !== '' && [...value].length <= TAG_LIMITS.length && !/\p{Cc}|\p{Cs}/u.test(value), TAG);
const tagList = z
  .array(tag, 'must be a list of tags')
  .transform((tags) => [...new Set(tags)])
  .refine((tags) => tags.length <= TAG_LIMITS.tags, `must be at most ${TAG_LIMITS.tags} tags`);

const TAGS_INFO = { tags: tagList.optional() };

/** Validates tags: each once, without spaces around. Throws ValidationError; `name` is theirs in the body. */
export function checkTags(value: unknown, name: string): readonly string[] {
  const result = tagList.safeParse(value);
  if (result.success) return result.data;
  throw new ValidationError([{ path: [name], message: `${name} ${result.error.issues[0]?.message ?? ''}` }]);
}

function messageOf(issue: z.core.$ZodIssue): Issue[] {
  const path = ['fileInfo', ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return [{ path, message: `${path.join('.')} ${issue.message}` }];
  return issue.keys.map((key) => ({ path: [...path, key], message: `${key} can't be set` }));
}

/** What infos may say, besides texts. */
export interface InfoScope {
  /** Absent if the server has no folders. */
  readonly folders?: object | undefined;
  /** Absent if files have no tags. */
  readonly tags?: object | undefined;
  /** Whether images have focal points or crops, and the request can change one. */
  readonly takesFocalPoint?: boolean | undefined;
  readonly takesCrop?: boolean | undefined;
}

/** An info as it is sent. */
type SentInfo = Omit<FileInfo, 'name'> & { readonly name?: string | null | undefined };

/** Made once for each scope. */
const made = new Map<string, z.ZodType<SentInfo>>();

function infoIn({ folders, tags, takesFocalPoint = false, takesCrop = false }: InfoScope): z.ZodType<SentInfo> {
  const scope = [folders !== undefined, tags !== undefined, takesFocalPoint, takesCrop].join(' ');
  const known = made.get(scope);
  if (known) return known;
  const parts = [
    folders && FOLDER_INFO,
    tags && TAGS_INFO,
    takesFocalPoint && FOCAL_POINT_INFO,
    takesCrop && CROP_INFO,
  ];
  // The types of the parts are those of `FileInfo`.
  const schema = fileInfo.extend(Object.assign({}, ...parts)) as unknown as z.ZodType<SentInfo>;
  made.set(scope, schema);
  return schema;
}

/** Validates a file info. Throws ValidationError. */
export function checkInfo(value: unknown, scope: InfoScope = {}): FileInfo {
  const result = infoIn(scope).safeParse(value, {
    error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined),
  });
  if (!result.success) throw new ValidationError(result.error.issues.flatMap(messageOf));
  const { name, ...info } = result.data;
  // An empty name means: keep the current one.
  return { ...info, name: cleanName(name ?? '') || undefined };
}

/**
 * The infos from the fields `fileInfo`, in order: one object per field, or a single field with a list. Throws HttpError
 * 400 for malformed JSON, unknown keys, invalid values, and infos of more files than the `most` of a request.
 */
export function parseFileInfos(texts: readonly string[], most: number, scope: InfoScope = {}): readonly FileInfo[] {
  const values = texts.map((json) => parseJson(json));
  const [only] = values;
  const infos = values.length === 1 && Array.isArray(only) ? (only as unknown[]) : values;
  if (infos.length > most) {
    throw new BadRequestError(`fileInfo describes ${infos.length} files, but a request has at most ${most}`);
  }
  return infos.map((info) => checkInfo(info, scope));
}

/** The info of one of several files: a single info applies to all of them. */
export function infoOf(infos: readonly FileInfo[], index: number): FileInfo {
  return (infos.length === 1 ? infos[0] : infos[index]) ?? {};
}

/** Control characters, bidirectional overrides, and lone surrogates. */
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069\uD800-\uDFFF]/gu;

/** A display name: without folders and invisible characters, truncated to MAX_LENGTH. */
export function cleanName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const clean = last.replaceAll(INVISIBLE, '').trim();
  const characters = [...clean];
  if (characters.length <= MAX_LENGTH) return clean;
  const ext = /\.[A-Za-z0-9]{1,10}$/u.exec(clean)?.[0] ?? '';
  return characters.slice(0, MAX_LENGTH - ext.length).join('') + ext;
}
