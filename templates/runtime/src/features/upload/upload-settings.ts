/** The settings of uploads, and their environment variables. */
import {
  anyText,
  flag,
  listOf,
  matching,
  optional,
  type ReadText,
  type ValuesOf,
  webUrl,
  wholeNumber,
  withDefault,
} from '../../base/environment.ts';
import { err, ok } from '../../contract/values/cast-result.ts';
import type { S3Settings } from '../../storage/s3-storage.ts';

export interface UploadSettings {
  /** The folder for incoming files, and for stored ones unless a bucket is used. Relative to the working directory. */
  readonly directory: string;
  /** Maximum size of a file, in bytes. */
  readonly maxSize: number;
  /** Maximum number of files in one request. */
  readonly maxFiles: number;
  /** Maximum total size of the files that one caller is uploading at a time, in bytes. */
  readonly maxTotal: number;
  /** Maximum total size of all unfinished uploads that can continue, in bytes. */
  readonly maxUnfinished: number;
  /** Maximum pixel count of an image: width times height. */
  readonly maxPixels: number;
  /** Maximum width and height of an image, in pixels. */
  readonly maxSide: number;
  /** Maximum pixel count of all images in one request. */
  readonly maxTotalPixels: number;
  /** Allowed MIME types (`image/png`, `image/*`). If empty, a built-in list of harmless types applies. */
  readonly allowedTypes: readonly string[];
  /** How long signed addresses of files are valid at least, in seconds. */
  readonly urlLifetime: number;
  /** The bucket for stored files; undefined if they are stored in `directory`. */
  readonly s3: S3Settings | undefined;
}

const MIB = 1024 * 1024;
const DEFAULT_MAX_PIXELS = 268_000_000;
/** The longest side that a JPEG can have. */
const DEFAULT_MAX_SIDE = 65_535;
/** Resizing that many takes some seconds. */
const DEFAULT_MAX_TOTAL_PIXELS = 1_000_000_000;

const MIME_PATTERN = /^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/u;

const mimeTypes = listOf<string>((text) => {
  const type = text.toLowerCase();
  if (MIME_PATTERN.test(type)) return ok(type);
  return err('must be types such as image/* or application/pdf, separated by commas');
});

const count = (problem: string): ReadText<number> => wholeNumber(1, Number.MAX_SAFE_INTEGER, problem, problem);

const LIFETIME = 'must be a number of seconds from 10 to 86400';

export const uploadVariables = {
  UPLOAD_DIR: withDefault(anyText, './data/uploads'),
  UPLOAD_MAX_SIZE: withDefault(count('must be a number of bytes'), 200 * MIB),
  UPLOAD_MAX_FILES: withDefault(count('must be a number'), 20),
  UPLOAD_MAX_TOTAL: withDefault(count('must be a number of bytes'), 400 * MIB),
  UPLOAD_MAX_UNFINISHED: withDefault(count('must be a number of bytes'), 10 * 1024 * MIB),
  UPLOAD_MAX_PIXELS: withDefault(count('must be a number'), DEFAULT_MAX_PIXELS),
  UPLOAD_MAX_SIDE: withDefault(count('must be a number'), DEFAULT_MAX_SIDE),
  UPLOAD_MAX_TOTAL_PIXELS: withDefault(count('must be a number'), DEFAULT_MAX_TOTAL_PIXELS),
  UPLOAD_ALLOWED_TYPES: withDefault(mimeTypes, []),
  UPLOAD_URL_LIFETIME: withDefault(wholeNumber(10, 86_400, LIFETIME, LIFETIME), 300),
  S3_BUCKET: optional(matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u, 'must be the name of a bucket')),
  S3_REGION: withDefault(matching(/^[a-z0-9-]{1,40}$/u, 'must be the name of a region'), 'us-east-1'),
  S3_ENDPOINT: optional(webUrl('must be a URL such as https://s3.example.org')),
  S3_ACCESS_KEY_ID: optional(anyText),
  S3_SECRET_ACCESS_KEY: optional(anyText),
  S3_PUBLIC_URL: optional(webUrl('must be a URL such as https://files.example.org')),
  S3_FORCE_PATH_STYLE: withDefault(flag, false),
};

export type UploadVariables = ValuesOf<typeof uploadVariables>;

/** Problems about variables that are missing although a bucket is set. */
export function missingOfBucket(environment: NodeJS.ProcessEnv): string[] {
  if (!environment['S3_BUCKET']) return [];
  return ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
    .filter((name) => !environment[name])
    .map((name) => `${name} must be set, because S3_BUCKET is`);
}

function bucketOf(data: UploadVariables): S3Settings | undefined {
  if (data.S3_BUCKET === undefined) return undefined;
  return {
    bucket: data.S3_BUCKET,
    region: data.S3_REGION,
    endpoint: data.S3_ENDPOINT ?? `https://s3.${data.S3_REGION}.amazonaws.com`,
    accessKeyId: data.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: data.S3_SECRET_ACCESS_KEY ?? '',
    publicUrl: data.S3_PUBLIC_URL,
    forcePathStyle: data.S3_FORCE_PATH_STYLE,
  };
}

/** Settings from parsed variables. */
export function uploadSettings(data: UploadVariables): UploadSettings {
  return {
    directory: data.UPLOAD_DIR,
    maxSize: data.UPLOAD_MAX_SIZE,
    maxFiles: data.UPLOAD_MAX_FILES,
    maxTotal: Math.max(data.UPLOAD_MAX_TOTAL, data.UPLOAD_MAX_SIZE),
    maxUnfinished: Math.max(data.UPLOAD_MAX_UNFINISHED, data.UPLOAD_MAX_SIZE),
    maxPixels: data.UPLOAD_MAX_PIXELS,
    maxSide: data.UPLOAD_MAX_SIDE,
    maxTotalPixels: Math.max(data.UPLOAD_MAX_TOTAL_PIXELS, data.UPLOAD_MAX_PIXELS),
    allowedTypes: data.UPLOAD_ALLOWED_TYPES,
    urlLifetime: data.UPLOAD_URL_LIFETIME,
    s3: bucketOf(data),
  };
}
