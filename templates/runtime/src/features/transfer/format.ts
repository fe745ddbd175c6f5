/**
 * The lines of an export. Each is JSON, and ends in LF:
 *
 *     {"format":"content-gen data","version":2,"project":…,"migration":{…}}
 *     {"table":"tags","columns":["id","name"],"rows":2,"lastId":7}         one for each section, then its rows
 *     [1,"koa"]
 *     {"fill":"topics","columns":["id","parent_id"],"rows":1}              columns of rows that are there by now
 *     {"file":"1f….png","size":70000}                                      a file of the storage, then its bytes as base64
 *     "iVBORw0KGgo…"
 *     {"sha256":"…"}
 *     {"sections":[{"table":"tags","rows":2,"sha256":"…"},…],"files":{…},"sha256":"…"}
 *
 * The same content gives the same bytes, whichever engine and storage it comes from: there is no time in it.
 *
 * The hash of a section is that of the lines of its rows, ends of lines among them; that of the files is of their lines; the
 * last one is that of everything before the last line.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Section } from './sections.ts';

export const FORMAT = 'content-gen data';
export const VERSION = 2;
/** The version before, which differs in what the hash of the migration is of. */
export const FORMER_VERSION = 1;
/** How many bytes of a file a line has at most. */
export const CHUNK_SIZE = 48 * 1024;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** What any version begins with. */
export const anyHeader = z.looseObject({ format: z.literal(FORMAT), version: z.int() });

export const headerLine = z.strictObject({
  format: z.literal(FORMAT),
  version: z.union([z.literal(VERSION), z.literal(FORMER_VERSION)]),
  project: z.string(),
  /**
   * The last migration, and a hash of the plans of it and of all before: of what they mean, not of their SQL, which there may be for
   * further engines later. In version 1 the hash that `migrations.sum` had for it, of the SQL too.
   */
  migration: z.strictObject({ name: z.string(), sum: sha256 }),
});

const sectionParts = { columns: z.array(z.string()), rows: count };

/** The rows of a table. `lastId`: the largest id that it has ever given; absent where ids are not generated. */
export const tableLine = z.strictObject({ table: z.string(), ...sectionParts, lastId: count.optional() });

export const fillLine = z.strictObject({ fill: z.string(), ...sectionParts });

/** `size` in bytes. */
export const fileLine = z.strictObject({ file: z.string(), size: count });

export const fileEndLine = z.strictObject({ sha256 });

export const trailerLine = z.strictObject({
  sections: z.array(z.strictObject({ table: z.string(), rows: count, sha256 })),
  files: z.strictObject({ count, bytes: count, sha256 }),
  sha256,
});

export type Header = z.output<typeof headerLine>;
export type Trailer = z.output<typeof trailerLine>;
export type SectionSum = Trailer['sections'][number];

/** The line that begins a section. */
export function sectionLine(section: Section, rows: number, lastId: number | undefined): string {
  const columns = section.columns.map(({ name }) => name);
  if (section.fills) return JSON.stringify({ fill: section.table, columns, rows });
  return JSON.stringify({ table: section.table, columns, rows, ...(lastId === undefined ? {} : { lastId }) });
}

/** Counts and hashes lines as they go by. */
export interface LineSum {
  add(text: string | Uint8Array): void;
  /** Of what was added so far. */
  sha256(): string;
}

export function createLineSum(): LineSum {
  const hash = createHash('sha256');
  return {
    add: (text) => void hash.update(text).update('\n'),
    sha256: () => hash.copy().digest('hex'),
  };
}
