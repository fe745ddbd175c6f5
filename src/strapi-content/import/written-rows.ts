/** Writes rows and computes checksums, to compare the database with what was written. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Cell, ContentReader, ContentWriter, Section, SectionWriter } from '#contract/content-transfer.ts';
import { addHash, hashText } from '../number-map.ts';

/** Number of rows of a section, and a hash that does not depend on their order. (List positions are columns, so they are covered.) */
export interface RowsChecksum {
  readonly rows: number;
  readonly hash: number;
}

export interface WrittenSection {
  readonly section: Section;
  readonly sum: RowsChecksum;
  readonly lastId: number;
}

export interface RowWriter {
  add(section: Section, cells: Readonly<Record<string, Cell>>): Promise<void>;
  /** Writes all buffered rows. */
  flush(): Promise<void>;
  written(): readonly WrittenSection[];
}

interface Open {
  readonly section: Section;
  readonly writer: SectionWriter;
  rows: number;
  hash: number;
  lastId: number;
}

/** Identifies a section: each foreign key of a table has its own. */
function keyOf({ table, columns }: Section): string {
  return `${table} ${columns.map(({ name }) => name).join()}`;
}

export function createRowWriter(content: ContentWriter): RowWriter {
  const open = new Map<string, Open>();
  let current: Open | undefined;
  const openFor = async (section: Section): Promise<Open> => {
    if (current?.section === section) return current;
    // Flushes the previous section, so that only one has rows in memory.
    await current?.writer.finish();
    const key = keyOf(section);
    const found = open.get(key) ?? { section, writer: content.write(section), rows: 0, hash: 0, lastId: 0 };
    open.set(key, found);
    return (current = found);
  };
  return {
    async add(section, cells) {
      const to = await openFor(section);
      const row = section.columns.map(({ name }) => cells[name] ?? (name === COLUMN_NAMES.version ? 1 : null));
      const line = JSON.stringify(row);
      to.rows += 1;
      to.hash = addHash(to.hash, hashText(line));
      to.lastId = Math.max(to.lastId, Number(cells['id'] ?? 0));
      await to.writer.add(row, line.length);
    },
    async flush() {
      await current?.writer.finish();
      current = undefined;
    },
    written: () =>
      [...open.values()].map(({ section, rows, hash, lastId }) => ({ section, sum: { rows, hash }, lastId })),
  };
}

/** Computes the checksum of a section from the database. */
export async function readChecksum(
  reader: ContentReader,
  section: Section,
  onRows: (rows: number) => void,
): Promise<RowsChecksum> {
  let rows = 0;
  let hash = 0;
  for await (const lines of reader.read(section)) {
    for (const line of lines) hash = addHash(hash, hashText(line));
    rows += lines.length;
    onRows(lines.length);
  }
  return { rows, hash };
}
