/** Small sample files of each kind. Their first bytes are genuine, because uploads are classified by content. */

export interface SampleFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** One grey pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** A tenth of a second of silence. */
function silence(): Buffer {
  const length = 800;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(length, 40);
  return Buffer.concat([header, Buffer.alloc(length, 0x80)]);
}

/** The header of an MP4 file without frames. */
function video(): Buffer {
  const head = Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex');
  return Buffer.concat([head, Buffer.from('000000086d646174', 'hex')]);
}

/** A file of one of the kinds that an attribute allows: `images`, `files`, `videos`, `audios`. */
export function sampleFile(kinds: readonly string[]): SampleFile {
  if (kinds.includes('images')) return { name: 'sample.png', type: 'image/png', bytes: PNG };
  if (kinds.includes('files')) return { name: 'sample.txt', type: 'text/plain', bytes: Buffer.from('A sample.\n') };
  if (kinds.includes('audios')) return { name: 'sample.wav', type: 'audio/wav', bytes: silence() };
  return { name: 'sample.mp4', type: 'video/mp4', bytes: video() };
}
