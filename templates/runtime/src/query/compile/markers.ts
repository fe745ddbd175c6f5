/** Markers: JSON placeholders for lists that a statement leaves out. */
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Compiler } from './compiler.ts';
import type { DeferredList, ListPopulation } from './list-bounds.ts';
import { ownerOf, type Rows } from './rows.ts';

/** The prefix of all markers. It is random and unknown to clients, so stored text can't be mistaken for a marker. */
const NONCE = `@${crypto.randomUUID()}`;
const OVERFLOW = `${NONCE}!`;

/** The placeholder for a list that is longer than its statement may show. */
function overflow({ dialect }: Compiler): Sql {
  return dialect.jsonObject([[OVERFLOW, dialect.jsonScalar('integer', raw('0'))]]);
}

/** `json`, or the overflow marker if `count` exceeds `most`. */
export function jsonOrOverflow(compiler: Compiler, count: Sql, most: number, json: Sql): Sql {
  return sql`CASE WHEN ${count} > ${raw(String(most))} THEN ${overflow(compiler)} ELSE ${json} END`;
}

/** Whether an answer contains an overflow marker. */
export function hasOverflow(text: string | Buffer): boolean {
  return text.includes(OVERFLOW);
}

/** The placeholder for a list that is read by a separate statement. Adds the list to `lists`. */
export function deferredMarker(compiler: Compiler, lists: DeferredList[], population: ListPopulation, rows: Rows): Sql {
  const { dialect } = compiler;
  const owner = ownerOf(rows);
  const index = lists.push({ population, owner: owner.type, ofItem: rows.kind === 'item' }) - 1;
  const ownerId = [`${NONCE}${index}`, dialect.jsonScalar('integer', owner.id ?? sql`${owner.alias}.id`)] as const;
  if (rows.kind === 'table') return dialect.jsonObject([ownerId]);
  return dialect.jsonObject([ownerId, ['item', compiler.engine.itemJson('integer', rows.json, 'id')]]);
}

/** A marker in the JSON of an entry: which list it stands for, and the entry or component item that owns the list. */
export interface Marker {
  readonly list: number;
  readonly owner: number;
  readonly item: number | undefined;
}

const MARKER = new RegExp(`\\{"${NONCE}(\\d+)":(\\d+)(?:,"item":(\\d+))?\\}`, 'gu');

/** The JSON of an entry, split at its markers: one more string than markers. */
export interface SplitText {
  readonly texts: readonly string[];
  readonly markers: readonly Marker[];
}

/** Splits the JSON of an entry at the markers of deferred lists. */
export function splitAtMarkers(text: string): SplitText {
  const texts: string[] = [];
  const markers: Marker[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKER)) {
    texts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    markers.push({
      list: Number(match[1]),
      owner: Number(match[2]),
      item: match[3] === undefined ? undefined : Number(match[3]),
    });
  }
  texts.push(text.slice(end));
  return { texts, markers };
}
