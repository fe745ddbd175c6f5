/** The layers around a tar, compression and encryption, which are detected by content rather than by file name. */
import { createDecipheriv, scrypt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type Duplex, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ArchiveError } from './archive-error.ts';
import type { ArchiveLimits } from './limits.ts';

const CIPHER = 'aes-128-ecb';
const BLOCK = 16;
const HEAD = 512;
/** Offset of the magic number in a tar. */
const MAGIC_AT = 257;

type Form = 'tar' | 'gzip' | 'zip' | 'unknown';

function formOf(head: Buffer): Form {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.toString('latin1', MAGIC_AT, MAGIC_AT + 5) === 'ustar') return 'tar';
  return head.toString('latin1', 0, 4) === 'PK\u0003\u0004' ? 'zip' : 'unknown';
}

/** A file, and how to unpack it. */
export interface Layers {
  readonly path: string;
  /** Size of the file, in bytes. */
  readonly size: number;
  /** Undefined if it is not encrypted. */
  readonly key: Buffer | undefined;
  readonly isCompressed: boolean;
}

function keyOf(passphrase: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The salt of an export is empty.
    scrypt(passphrase, '', BLOCK, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

async function readHead(path: string): Promise<{ head: Buffer; size: number }> {
  const { size } = await stat(path);
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return { head: buffer.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
}

/** Decrypts the beginning of a file: in ECB mode, blocks are independent. */
function decryptHead(head: Buffer, key: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false);
  return Buffer.concat([decipher.update(head.subarray(0, head.length - (head.length % BLOCK))), decipher.final()]);
}

/** Detects the layers of a file. Throws an ArchiveError if it is not an archive, or can't be decrypted. */
export async function recognize(path: string, passphrase: string | undefined): Promise<Layers> {
  const { head, size } = await readHead(path);
  const none = (why: string): ArchiveError =>
    new ArchiveError('not-an-archive', `${path} is not an export of Strapi: ${why}`);
  if (size === 0) throw none('it is empty.');
  const form = formOf(head);
  if (form === 'zip') throw none('it is a zip file. Unpack it, and name the folder.');
  if (form !== 'unknown') return { path, size, key: undefined, isCompressed: form === 'gzip' };
  if (passphrase === undefined) {
    throw new ArchiveError(
      'missing-key',
      `${path} is neither a tar nor compressed. If it is an encrypted export, name the file with its key: --key-file FILE, or set STRAPI_EXPORT_KEY.`,
    );
  }
  const key = await keyOf(passphrase);
  const inner = formOf(decryptHead(head, key));
  if (inner !== 'tar' && inner !== 'gzip') {
    throw new ArchiveError('wrong-key', `The key does not belong to ${path}, or the file is not an export of Strapi.`);
  }
  if (size % BLOCK !== 0) {
    throw new ArchiveError(
      'truncated',
      `${path} is truncated: ${size} bytes are not a whole number of blocks. Copy it again.`,
    );
  }
  return { path, size, key, isCompressed: inner === 'gzip' };
}

/** Converts errors of streams to ArchiveErrors, if they are due to the content of the file. */
export function faultOf(error: unknown, path: string): unknown {
  if (error instanceof ArchiveError || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const { message } = error;
  const cause = { cause: error };
  if (code === 'Z_BUF_ERROR' || /unexpected end/iu.test(message)) {
    return new ArchiveError('truncated', `${path} is truncated. Copy or export it again.`, cause);
  }
  if (code.startsWith('Z_')) return new ArchiveError('damaged', `${path} is damaged: it can't be decompressed.`, cause);
  if (code.startsWith('ERR_OSSL') || /bad decrypt|wrong final block/iu.test(message)) {
    return new ArchiveError('damaged', `${path} is damaged or truncated: its end can't be decrypted.`, cause);
  }
  if (/tar|header|pax|checksum/iu.test(message)) {
    return new ArchiveError('damaged', `${path} is damaged: it has an invalid tar entry (${message}).`, cause);
  }
  return error;
}

/** Throws an ArchiveError once the unpacked bytes exceed `limits`, in total or relative to the packed ones. */
async function* bounded(
  chunks: AsyncIterable<Buffer>,
  packed: () => number,
  { ratio, ratioFrom, total }: ArchiveLimits,
): AsyncGenerator<Buffer> {
  let unpacked = 0;
  for await (const chunk of chunks) {
    unpacked += chunk.length;
    if (unpacked > ratioFrom && unpacked > packed() * ratio) {
      throw new ArchiveError(
        'too-compressed',
        `The archive unpacks to more than ${ratio} times its size, which no export does: it may be designed to exhaust memory or disk.`,
      );
    }
    if (unpacked > total) {
      throw new ArchiveError('too-large', `The archive unpacks to more than ${total} bytes.`);
    }
    yield chunk;
  }
}

/** Connects two streams, so that an error of the first one destroys the second, and closing the second destroys the first. */
function piped(from: Readable, to: Duplex): Duplex {
  from.on('error', (error) => to.destroy(error));
  to.on('close', () => from.destroy());
  return from.pipe(to);
}

/** In bytes. Large, because each chunk takes several turns of the event loop. */
const CHUNK = 2 ** 18;

/** The bytes of the tar, with backpressure. */
export function tarBytes({ path, key, isCompressed }: Layers, limits: ArchiveLimits): Readable {
  const file = createReadStream(path, { highWaterMark: CHUNK });
  const stages = [
    ...(key ? [createDecipheriv(CIPHER, key, null)] : []),
    ...(isCompressed ? [createGunzip({ chunkSize: CHUNK })] : []),
  ];
  const unpacked = stages.reduce<Readable>((from, to) => piped(from, to), file);
  return Readable.from(
    bounded(unpacked, () => file.bytesRead, limits),
    { objectMode: false },
  );
}
