/** What the uploads of a server can be told, and how the environment says it. */
import * as z from 'zod';
import type { S3Settings } from './s3-storage.ts';

export interface UploadSettings {
  /** Where files arrive, and stay unless there is a bucket; relative to the working directory. */
  readonly directory: string;
  /** Of one file, in bytes. */
  readonly maxSize: number;
  /** In one request. */
  readonly maxFiles: number;
  /** Of an image: width times height. */
  readonly maxPixels: number;
  /** MIME types that are taken (`image/png`, `image/*`); none: those that are known to be harmless. */
  readonly allowedTypes: readonly string[];
  /** Files are kept in a bucket. */
  readonly s3: S3Settings | undefined;
}

const MIB = 1024 * 1024;
const DEFAULT_MAX_PIXELS = 268_000_000;

const MIME_PATTERN = /^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/u;

function count(message: string): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^[1-9]\d{0,14}$/u, message)
    .transform(Number);
}

const webUrl = (message: string) => z.url({ protocol: /^https?$/u, error: message });

/** The variables of the environment, for the schema of all settings. */
export const uploadVariables = {
  UPLOAD_DIR: z.string().min(1).default('./data/uploads'),
  UPLOAD_MAX_SIZE: count('must be a number of bytes').default(200 * MIB),
  UPLOAD_MAX_FILES: count('must be a number').default(20),
  UPLOAD_MAX_PIXELS: count('must be a number').default(DEFAULT_MAX_PIXELS),
  UPLOAD_ALLOWED_TYPES: z
    .string()
    .transform((text) => text.split(',').map((type) => type.trim().toLowerCase()))
    .pipe(
      z.array(z.string().regex(MIME_PATTERN, 'must be types such as image/* or application/pdf, separated by commas')),
    )
    .default([]),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/u, 'must be the name of a region')
    .default('us-east-1'),
  S3_ENDPOINT: webUrl('must be a URL such as https://s3.example.org').optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PUBLIC_URL: webUrl('must be a URL such as https://files.example.org').optional(),
  S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'], { error: 'must be "true" or "false"' })
    .transform((text) => text === 'true')
    .default(false),
};

const variables = z.object(uploadVariables);

export type UploadVariables = z.output<typeof variables>;

/** What is missing of the settings of a bucket, by the names of the variables. */
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

/** The settings that checked variables make. */
export function uploadSettings(data: UploadVariables): UploadSettings {
  return {
    directory: data.UPLOAD_DIR,
    maxSize: data.UPLOAD_MAX_SIZE,
    maxFiles: data.UPLOAD_MAX_FILES,
    maxPixels: data.UPLOAD_MAX_PIXELS,
    allowedTypes: data.UPLOAD_ALLOWED_TYPES,
    s3: bucketOf(data),
  };
}
