/** The entries that store a relation to an entry: deleting it takes the relation from them. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes, DeleteRule } from '../../contract/content-type.ts';
import { CREATOR_FIELDS } from '../../contract/creator-fields.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { forbidden, hasRight } from '../../contract/policy/rights.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { MAX_SIDE_CHANGES } from '../../contract/limits.ts';
import { publishedTypes } from '../../contract/states.ts';
import type { Reach, SideChange } from './reach.ts';

/** How entries of a type store relations to entries of another: in a column of `table`, whose `own` column has their ids. */
export interface Referrer {
  readonly type: ContentType;
  readonly attribute: string | undefined;
  readonly table: string;
  readonly own: string;
  readonly column: string;
  /** Whether each row of a document has the relation, to the first row of the other one. */
  readonly shared: boolean;
  /** What the deletion of the entry does to them. */
  readonly rule: DeleteRule;
  /** The published state of the entries, where it is stored apart from their drafts. */
  readonly published: boolean;
  /** The table with their rows in this state. */
  readonly rows: string;
}

/** In the state of `owner`, as those of drafts. */
function referrersIn(owner: ContentType, uid: string): Referrer[] {
  const { table, componentLinks } = owner;
  const found: Referrer[] = Object.entries(owner.attributes).flatMap(([attribute, relation]): Referrer[] => {
    // Who has written an entry is not part of what it says: users can be deleted without a right to change it.
    if (relation.type !== 'relation' || CREATOR_FIELDS.has(attribute)) return [];
    const { storage, target } = relation;
    const shared = relation.shared === true;
    const rule: DeleteRule = relation.onDelete ?? 'setNull';
    const to = { type: owner, attribute, shared, rule, published: false, rows: table };
    if (storage.kind === 'foreignKey' && target === uid) return [{ ...to, table, own: 'id', column: storage.column }];
    if (storage.kind === 'link' && storage.isInverse !== true && target === uid) {
      return [{ ...to, table: storage.table, own: storage.own, column: storage.other }];
    }
    const column = storage.kind === 'morph' ? storage.targets[uid] : undefined;
    return storage.kind === 'morph' && column !== undefined
      ? [{ ...to, table: storage.table, own: storage.own, column }]
      : [];
  });
  const inside = componentLinks?.targets[uid];
  if (!componentLinks || inside === undefined) return found;
  const link = { table: componentLinks.table, own: COLUMN_NAMES.owner, column: inside };
  const rest = { attribute: undefined, shared: false, rule: 'setNull', published: false, rows: table } as const;
  return [...found, { type: owner, ...rest, ...link }];
}

function allReferrers(types: ContentTypes, uid: string): readonly Referrer[] {
  return Object.values(types.types).flatMap((owner) => referrersIn(owner, uid));
}

function placeOf({ table, column }: Referrer): string {
  return `${table}.${column}`;
}

/** Relations of published versions that are stored apart. What is published outlives an entry that it belongs to (`cascade`). */
function publishedReferrers(types: ContentTypes, uid: string, drafts: readonly Referrer[]): readonly Referrer[] {
  const published = publishedTypes(types);
  if (published === types) return [];
  const known = new Set(drafts.map(placeOf));
  return allReferrers(published, uid)
    .filter((referrer) => !known.has(placeOf(referrer)))
    .map((referrer) => ({
      ...referrer,
      type: types.types[referrer.type.uid] ?? referrer.type,
      rule: referrer.rule === 'cascade' ? 'setNull' : referrer.rule,
      published: true,
    }));
}

const known = new WeakMap<ContentType, readonly Referrer[]>();

function inBothStates(types: ContentTypes, uid: string): readonly Referrer[] {
  const drafts = allReferrers(types, uid);
  return [...drafts, ...publishedReferrers(types, uid, drafts)];
}

/** All relations to entries of the type, of drafts and of what is published. */
export function referrersOf(types: ContentTypes, type: ContentType): readonly Referrer[] {
  const found = known.get(type) ?? inBothStates(types, type.uid);
  known.set(type, found);
  return found;
}

/** Selects the entries that refer to the row. Of a document whose rows share the relation, the first row stands for all. */
function selectReferring(dialect: Dialect, referrer: Referrer, deleted: number): Sql {
  const { type, table, own, column, shared } = referrer;
  const id = sql`s.${dialect.id(own)}`;
  const refers = sql`s.${dialect.id(column)} = ${deleted}`;
  const rows = dialect.id(referrer.rows);
  const earlier = sql`SELECT 1 FROM ${rows} AS e JOIN ${rows} AS o ON o.document_id = e.document_id AND o.id < e.id WHERE e.id = ${id}`;
  const isFirst = shared && type.localized ? sql` AND NOT EXISTS (${earlier})` : raw('');
  return sql`SELECT ${id} AS referring FROM ${dialect.id(table)} AS s WHERE ${refers}${isFirst}`;
}

/** The deletion of a row. */
interface Deletion {
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly id: number;
  /** Whether the request deletes this entry. */
  readonly isGone: (type: ContentType, id: number) => boolean;
  /** Whether the entry keeps other rows, to which relations between entries then refer. Called only if that matters. */
  readonly staysAsEntry: () => Promise<boolean>;
}

/**
 * The relations that other entries lose by the deletion. Reads only for types that are watched, or that the caller may not update: then
 * throws ForbiddenError if there are any.
 */
export async function lostRelations(
  tx: Executor,
  { types, type, id: deleted, isGone, staysAsEntry }: Deletion,
  { caller, reach }: { readonly caller: Caller; readonly reach: Reach },
): Promise<readonly SideChange[]> {
  const watched = referrersOf(types, type).filter(
    (referrer) =>
      referrer.rule === 'setNull' &&
      (reach.watches(referrer.type) || !hasRight(caller, 'referrers', referrer.type.uid)),
  );
  const keepsShared = watched.some(({ shared }) => shared) && (await staysAsEntry());
  const asked = keepsShared ? watched.filter(({ shared }) => !shared) : watched;
  if (asked.length === 0) return [];
  const { dialect } = tx;
  const selects = asked.map((referrer, part) => {
    const rows = selectReferring(dialect, referrer, deleted);
    const limited = sql`SELECT * FROM (${rows}) AS r LIMIT ${raw(String(MAX_SIDE_CHANGES + 1))}`;
    return sql`SELECT ${raw(String(part))} AS part, f.referring FROM (${limited}) AS f`;
  });
  const rows = await tx.all(join(selects, ' UNION ALL '));
  // An entry whose draft and published version refer to it changes once.
  const lost = new Map<string, SideChange>();
  for (const row of rows) {
    const referrer = asked[Number(row['part'])];
    const id = Number(row['referring']);
    if (!referrer || isGone(referrer.type, id)) continue;
    const { type: of, attribute } = referrer;
    if (!hasRight(caller, 'referrers', of.uid)) {
      throw forbidden(caller, 'referrers', of.uid, `entries of ${of.uid} refer to it, which this role may not update`);
    }
    const change = { type: of, id, attribute, gains: false, other: deleted, path: [], trusted: false };
    lost.set(`${of.uid} ${id} ${attribute ?? ''}`, change);
  }
  return [...lost.values()];
}
