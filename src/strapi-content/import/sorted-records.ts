/** External sort of records of a few numbers: written to a file in any order, and read sorted in bounded memory. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of records that are buffered for reading and writing. */
const BUFFERED = 4096;
/** Number of records that are sorted in memory: the length of a run. */
const SORTED_AT_ONCE = 200_000;
const BYTES = 8;

/** A record; in files, each of its numbers takes 8 bytes. */
export type NumberRecord = readonly number[];

export interface RecordFile {
  readonly count: number;
  add(record: NumberRecord): Promise<void>;
  /** Yields the records sorted by these fields. */
  sorted(fields: readonly number[]): AsyncGenerator<NumberRecord>;
  close(): Promise<void>;
}

function comparer(fields: readonly number[]): (a: NumberRecord, b: NumberRecord) => number {
  return (a, b) => {
    for (const field of fields) {
      const [left = 0, right = 0] = [a[field], b[field]];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  };
}

function pack(records: readonly NumberRecord[], width: number): Buffer {
  const numbers = new Float64Array(records.length * width);
  for (const [index, record] of records.entries()) numbers.set(record, index * width);
  return Buffer.from(numbers.buffer);
}

async function readRecords(file: FileHandle, width: number, from: number, count: number): Promise<NumberRecord[]> {
  const numbers = new Float64Array(count * width);
  const bytes = Buffer.from(numbers.buffer);
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, from * width * BYTES + done);
    if (bytesRead === 0) throw new Error('A temporary file of the import is truncated. Is the disk full?');
    done += bytesRead;
  }
  return Array.from({ length: count }, (_, index) => [...numbers.subarray(index * width, (index + 1) * width)]);
}

/** Records `from` to `to` of a file, in pages. */
async function* pages(file: FileHandle, width: number, from: number, to: number): AsyncGenerator<NumberRecord> {
  for (let at = from; at < to; at += BUFFERED) yield* await readRecords(file, width, at, Math.min(BUFFERED, to - at));
}

/** Merges sorted runs. */
async function* merge(
  runs: readonly AsyncGenerator<NumberRecord>[],
  compare: ReturnType<typeof comparer>,
): AsyncGenerator<NumberRecord> {
  const heads = await Promise.all(runs.map((run) => run.next()));
  for (;;) {
    let least = -1;
    for (const [index, head] of heads.entries()) {
      const best = heads[least];
      if (head.done !== true && (best === undefined || best.done === true || compare(head.value, best.value) < 0)) {
        least = index;
      }
    }
    const head = heads[least];
    const run = runs[least];
    if (head === undefined || head.done === true || !run) return;
    yield head.value;
    heads[least] = await run.next();
  }
}

/** Opens a new file in the folder for records of `width` numbers. */
export async function openRecords(folder: string, name: string, width: number): Promise<RecordFile> {
  const file = await open(join(folder, name), 'wx+', 0o600);
  const opened = [file];
  let buffer: NumberRecord[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    if (buffer.length === 0) return;
    const bytes = pack(buffer, width);
    await file.write(bytes, 0, bytes.length, (count - buffer.length) * width * BYTES);
    buffer = [];
  };
  return {
    get count() {
      return count;
    },
    async add(record) {
      buffer.push(record);
      count += 1;
      if (buffer.length >= BUFFERED) await flush();
    },
    async *sorted(fields) {
      await flush();
      const compare = comparer(fields);
      if (count <= SORTED_AT_ONCE) {
        yield* (await readRecords(file, width, 0, count)).sort(compare);
        return;
      }
      const runs = await open(join(folder, `${name}.${opened.length}`), 'wx+', 0o600);
      opened.push(runs);
      const bounds: (readonly [number, number])[] = [];
      for (let from = 0; from < count; from += SORTED_AT_ONCE) {
        const to = Math.min(count, from + SORTED_AT_ONCE);
        const bytes = pack((await readRecords(file, width, from, to - from)).sort(compare), width);
        await runs.write(bytes, 0, bytes.length, from * width * BYTES);
        bounds.push([from, to]);
      }
      yield* merge(
        bounds.map(([from, to]) => pages(runs, width, from, to)),
        compare,
      );
    },
    async close() {
      for (const one of opened) await one.close();
    },
  };
}
