/**
 * The lines of an export. Each is JSON, and ends in LF:
 *
 *     {"format":"content-gen data","version":2,"project":…,"migration":{…}}
 *     {"table":"tags","columns":["id","name"],"rows":2,"lastId":7}         begins a section; its rows follow
 *     [1,"koa"]
 *     {"fill":"topics","columns":["id","parent_id"],"rows":1}              updates columns of rows from earlier sections
 *     {"file":"1f….png","size":70000}                                      begins a file; its bytes follow as base64
 *     "iVBORw0KGgo…"
 *     {"sha256":"…"}
 *     {"sections":[{"table":"tags","rows":2,"sha256":"…"},…],"files":{…},"sha256":"…"}
 *
 * Exports are deterministic: the same content gives the same bytes, whatever engine and storage it comes from.
 *
 * The hash of a section covers the lines of its rows, with their line ends; the hash of the files covers all of their
 * lines; the last hash covers everything before the last line.
 */
import type { Section } from '../../contract/content-transfer.ts';
import { createHash } from 'node:crypto';
import * as z from 'zod';

export const FORMAT = 'content-gen data';
export const VERSION = 2;
/** The previous version, in which the hash of the migration covers other files. */
export const FORMER_VERSION = 1;
/** The maximum number of bytes of a file in one line. */
export const CHUNK_SIZE = 48 * 1024;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** The header of any version. */
export const anyHeader = z.looseObject({ format: z.literal(FORMAT), version: z.int() });

export const headerLine = z.strictObject({
  format: z.literal(FORMAT),
  version: z.union([z.literal(VERSION), z.literal(FORMER_VERSION)]),
  project: z.string(),
  /**
   * The last migration, and a hash of all plans up to it. The SQL is not hashed, since further engines may be added to
   * a project later. In version 1: the hash from `migrations.sum`, which covers the SQL, too.
   */
  migration: z.strictObject({ name: z.string(), sum: sha256 }),
});

const sectionParts = { columns: z.array(z.string()), rows: count };

/** The rows of a table. `lastId`: the largest id ever generated; absent if ids are not generated. */
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

/** A running hash of lines. */
export interface LineHash {
  add(text: string | Uint8Array): void;
  /** The hash of the lines added so far, in hex. */
  sha256(): string;
}

export function createLineHash(): LineHash {
  const hash = createHash('sha256');
  return {
    add: (text) => void hash.update(text).update('\n'),
    sha256: () => hash.copy().digest('hex'),
  };
}
