/** Streams multipart bodies: fields into memory, files into a temporary folder, with limits. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy';
import { loadBusboy } from '../../base/lazy-packages.ts';
import { BadRequestError, HttpError } from '../../contract/errors.ts';
import type { Share } from './arriving-bytes.ts';
import { discardRest } from '../../http/discard-rest.ts';
import type { BodyWatch } from '../../http/state.ts';
import { discard, type TempFile, type TempFolder } from '../../storage/temp-folder.ts';

/** One text part. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/** One file part, completely received. */
export interface FormFile {
  /** The name of the part. */
  readonly field: string;
  /** The file name that the client sent: without folders, otherwise unchecked. */
  readonly filename: string;
  /** The content type that the client sent. */
  readonly claimedType: string;
  readonly temp: TempFile;
}

/** A completely received form. The caller owns its files, and must move them or call `discardForm`. */
export interface Form {
  readonly fields: readonly FormField[];
  readonly files: readonly FormFile[];
}

/** Sizes in bytes. */
export interface FormLimits {
  readonly maxFileSize: number;
  readonly maxFiles: number;
  readonly maxFieldSize: number;
  /** Of all text parts together: they are kept in memory. */
  readonly maxFieldsSize: number;
}

/** Overhead per file that is charged to the caller's share, in bytes. */
const FILE_COST = 4096;
const MAX_FIELDS = 50;
const MAX_NAME_LENGTH = 200;
const MAX_HEADER_SIZE = 8 * 1024;
const MAX_HEADERS = 16;

const POLLUTING: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function tooLarge(message: string): HttpError {
  return new HttpError(413, 'PayloadTooLargeError', message);
}

async function createParser(request: IncomingMessage, limits: FormLimits): Promise<BusboyInstance> {
  const { Busboy } = loadBusboy();
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fileSize: limits.maxFileSize,
        files: limits.maxFiles,
        fieldSize: limits.maxFieldSize,
        fields: MAX_FIELDS,
        parts: limits.maxFiles + MAX_FIELDS,
        headerPairs: MAX_HEADERS,
        headerSize: MAX_HEADER_SIZE,
      },
    });
  } catch {
    throw new BadRequestError('The multipart body has no boundary');
  }
}

/** Rejects empty, over-long and prototype-polluting names. */
function checkName(name: unknown): string {
  if (typeof name !== 'string' || name === '') throw new BadRequestError('A part of the multipart body has no name');
  if (name.length > MAX_NAME_LENGTH) throw new BadRequestError('The name of a part of the multipart body is too long');
  if (name.split(/[.[\]]/u).some((segment) => POLLUTING.has(segment))) {
    throw new BadRequestError('The name of a part of the multipart body is not allowed');
  }
  return name;
}

/**
 * Calls `fail` if the body is malformed, cut short or exceeds a limit, and `finish` when the parser has reached its
 * end.
 */
function watch(
  request: IncomingMessage,
  parser: BusboyInstance,
  { limits, fail, finish }: { limits: FormLimits; fail: (error: Error) => void; finish: () => void },
): void {
  const onTruncated = () => fail(new BadRequestError('The body ended before it was complete'));
  request.on('error', onTruncated);
  request.once('close', () => {
    if (!request.complete) onTruncated();
  });
  parser.on('error', () => fail(new BadRequestError('The multipart body is malformed')));
  parser.once('filesLimit', () =>
    fail(
      limits.maxFiles === 0
        ? new BadRequestError('This server does not accept files')
        : tooLarge(`The request has more than ${limits.maxFiles} files`),
    ),
  );
  parser.once('fieldsLimit', () => fail(tooLarge(`The request has more than ${MAX_FIELDS} fields`)));
  parser.once('partsLimit', () => fail(tooLarge('The request has too many parts')));
  parser.once('finish', finish);
  if (request.destroyed) onTruncated();
}

interface Reception {
  readonly fields: FormField[];
  /** In the order of the parts. */
  readonly writes: Promise<FormFile>[];
  /** The files in flight. */
  readonly streams: Set<Readable>;
}

/** Collects the parts. Resolves when the last one is parsed; files may not be completely written yet. */
function receiveParts(
  request: IncomingMessage,
  parser: BusboyInstance,
  { limits, temp, share, watch: watching, onField, onFile }: ReceiveOptions,
  { fields, writes, streams }: Reception,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let fieldsSize = 0;
    watch(request, parser, { limits, fail: reject, finish: resolve });
    parser.on('field', (name, value, _nameCut, valueCut) => {
      try {
        if (valueCut) throw tooLarge(`A field is larger than ${limits.maxFieldSize} bytes`);
        const field = { name: checkName(name), value };
        fieldsSize += Buffer.byteLength(value);
        if (fieldsSize > limits.maxFieldsSize) {
          throw tooLarge(`The fields are larger than ${limits.maxFieldsSize} bytes`);
        }
        onField?.(field);
        fields.push(field);
      } catch (error) {
        reject(error);
      }
    });
    parser.on('file', (name, stream, filename, _encoding, claimedType) => {
      streams.add(stream);
      stream.on('error', reject);
      stream.once('limit', () => reject(tooLarge(`A file is larger than ${limits.maxFileSize} bytes`)));
      const receive = async (): Promise<FormFile> => {
        const field = checkName(name);
        if (!temp) throw new BadRequestError('This server does not accept files');
        await onFile?.(field, fields);
        share?.take(FILE_COST);
        const arrived = await temp.write(stream, share && ((bytes) => share.take(bytes)));
        return { field, filename: filename ?? '', claimedType, temp: arrived };
      };
      const write = receive();
      write.catch(reject);
      writes.push(write);
    });
    if (watching) {
      request.on('data', (chunk: Buffer) => watching.update(chunk));
      request.once('end', () => watching.end());
    }
    request.pipe(parser);
  });
}

interface ReceiveOptions {
  readonly limits: FormLimits;
  /** Undefined if files are not accepted. */
  readonly temp: TempFolder | undefined;
  /** The share that files are charged to; whoever calls `receiveForm` releases it when done with the form. */
  readonly share?: Share | undefined;
  /** Sees the bytes of the body. */
  readonly watch?: BodyWatch | undefined;
  /** Called for each field as it arrives; may throw to reject the form. */
  readonly onField?: (field: FormField) => void;
  /** Called for each file before its bytes are stored, with the preceding fields; may throw to reject the form. */
  readonly onFile?: (name: string, fields: readonly FormField[]) => void | Promise<void>;
}

/** Aborts a reception: removes its files, and drains the rest of the body. Returns the errors of the file writes. */
async function abandon(request: IncomingMessage, parser: BusboyInstance, reception: Reception): Promise<unknown[]> {
  request.unpipe(parser);
  for (const stream of reception.streams) stream.destroy();
  const written = await Promise.allSettled(reception.writes);
  await discard(written.flatMap((write) => (write.status === 'fulfilled' ? [write.value.temp.path] : [])));
  discardRest(request);
  return written.flatMap((write) => (write.status === 'rejected' ? [write.reason as unknown] : []));
}

/**
 * Reads the multipart body of a request. Throws HttpError 400 if it is malformed or truncated, 413 if it exceeds a limit; received
 * files are then removed.
 */
export async function receiveForm(request: IncomingMessage, options: ReceiveOptions): Promise<Form> {
  const parser = await createParser(request, options.limits);
  const reception: Reception = { fields: [], writes: [], streams: new Set() };
  try {
    await receiveParts(request, parser, options, reception);
    return { fields: reception.fields, files: await Promise.all(reception.writes) };
  } catch (error) {
    const faults = await abandon(request, parser, reception);
    // A failed write also makes the parser fail, with a less specific error.
    throw malformedOr(
      error instanceof HttpError ? error : (faults.find((fault) => fault instanceof HttpError) ?? error),
    );
  }
}

/** Maps errors of the parser to 400; errors of the disk are not the client's fault. */
function malformedOr(error: unknown): unknown {
  if (error instanceof HttpError) return error;
  const isSystemError = typeof (error as NodeJS.ErrnoException).syscall === 'string';
  return isSystemError ? error : new BadRequestError('The multipart body is malformed');
}

/** Removes the files of a form that were not moved to the storage. */
export function discardForm({ files }: Form): Promise<void> {
  return discard(files.map(({ temp }) => temp.path));
}
