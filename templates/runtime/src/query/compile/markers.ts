/** Markers: JSON in the place of lists that a statement does not show. */
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Compiler } from './compiler.ts';
import type { CutList, ListPopulation } from './list-bounds.ts';
import { ownerOf, type Rows } from './rows.ts';

/** Starts every marker. Nobody outside of this process can know it, so that no stored text looks like a marker. */
const NONCE = `@${crypto.randomUUID()}`;
const OVERFLOW = `${NONCE}!`;

/** JSON in the place of a list that is longer than its statement may show. */
function overflow({ dialect }: Compiler): Sql {
  return dialect.jsonObject([[OVERFLOW, dialect.jsonScalar('integer', raw('0'))]]);
}

/** `json`, or the marker of an overflow where `count` is more than `most`. */
export function unlessMore(compiler: Compiler, count: Sql, most: number, json: Sql): Sql {
  return sql`CASE WHEN ${count} > ${raw(String(most))} THEN ${overflow(compiler)} ELSE ${json} END`;
}

/** Whether an answer holds the marker of an overflow. */
export function hasOverflow(text: string | Buffer): boolean {
  return text.includes(OVERFLOW);
}

/** JSON in the place of a list that is read by a statement of its own. It is remembered in `lists`. */
export function cutMarker(compiler: Compiler, lists: CutList[], population: ListPopulation, rows: Rows): Sql {
  const { dialect } = compiler;
  const owner = ownerOf(rows);
  const index = lists.push({ population, owner: owner.type, ofItem: rows.kind === 'item' }) - 1;
  const ownerId = [`${NONCE}${index}`, dialect.jsonScalar('integer', owner.id ?? sql`${owner.alias}.id`)] as const;
  if (rows.kind === 'table') return dialect.jsonObject([ownerId]);
  return dialect.jsonObject([ownerId, ['item', compiler.engine.itemJson('integer', rows.json, 'id')]]);
}

/** A marker in the text of an entry. `key` tells the owner, and the item if the list is one of an item. */
export interface Marker {
  readonly list: number;
  readonly owner: number;
  readonly item: number | undefined;
}

const MARKER = new RegExp(`\\{"${NONCE}(\\d+)":(\\d+)(?:,"item":(\\d+))?\\}`, 'gu');

/** The text of an entry around its markers: one text more than there are markers. */
export interface SplitText {
  readonly texts: readonly string[];
  readonly markers: readonly Marker[];
}

/** Splits the text of an entry at the markers of lists that were cut. */
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
