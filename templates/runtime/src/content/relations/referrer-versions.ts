/** Increments the versions of the entries that lose a deleted entry from one of their attributes. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes, RelationAttribute } from '../../contract/content-type.ts';
import { CREATOR_FIELDS } from '../../contract/creator-fields.ts';
import { publishedTypes } from '../../contract/states.ts';
import { isLinkAttribute } from '../../contract/item-attributes.ts';
import type { Dialect } from '../../database/dialect.ts';
import { sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import { incrementVersionsBySelect, incrementVersionsWhere } from '../../write/version.ts';
import { listTableOf } from './list-table-of.ts';

/** How entries of a table refer to another entry: by a column of their own row, or through a link table. */
type Holder =
  | { readonly kind: 'row'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'links';
      readonly table: string;
      readonly links: string;
      readonly own: string;
      readonly other: string;
    };

/** The attributes of `owner` that can refer to entries of `type`. */
function holdersIn(types: ContentTypes, owner: ContentType, { uid }: ContentType): Holder[] {
  const { table, componentLinks } = owner;
  const inside = componentLinks?.targets[uid];
  const found: Holder[] =
    componentLinks && inside !== undefined
      ? [{ kind: 'links', table, links: componentLinks.table, own: COLUMN_NAMES.owner, other: inside }]
      : [];
  for (const [name, attribute] of Object.entries(owner.attributes)) {
    if (!isLinkAttribute(attribute) || CREATOR_FIELDS.has(name)) continue;
    const { storage } = attribute;
    if (storage.kind === 'foreignKey') {
      const target = attribute.type === 'media' ? 'file' : attribute.target;
      if (target === uid) found.push({ kind: 'row', table, column: storage.column });
      continue;
    }
    const list = listTableOf(types, owner, attribute);
    for (const { type, column } of list?.members ?? []) {
      if (list && type === uid) found.push({ kind: 'links', table, links: list.table, own: list.own, other: column });
    }
  }
  return found;
}

/** The inverse attributes, in other types, of relations that entries of the type own. */
function otherSidesOf(types: ContentTypes, type: ContentType): Holder[] {
  return Object.values(type.attributes).flatMap((attribute): Holder[] => {
    if (attribute.type !== 'relation') return [];
    const { storage } = attribute;
    if (storage.kind === 'foreignKey') return parentOf(types, type, attribute, storage.column);
    if (storage.kind !== 'morph') return [];
    const list = listTableOf(types, type, attribute);
    return (list?.members ?? []).flatMap(({ column, bothSides: table }): Holder[] =>
      list && table !== undefined ? [{ kind: 'links', table, links: list.table, own: column, other: list.own }] : [],
    );
  });
}

function parentOf(types: ContentTypes, type: ContentType, attribute: RelationAttribute, column: string): Holder[] {
  const { target = '', inverse } = attribute;
  const parent = Object.hasOwn(types.types, target) ? types.types[target] : undefined;
  if (inverse === undefined || !parent) return [];
  return [{ kind: 'links', table: parent.table, links: type.table, own: column, other: 'id' }];
}

const known = new WeakMap<ContentType, readonly Holder[]>();

function holdersOf(types: ContentTypes, type: ContentType): readonly Holder[] {
  const found = known.get(type) ?? holdersInBothStates(types, type);
  known.set(type, found);
  return found;
}

function holdersInBothStates(types: ContentTypes, type: ContentType): readonly Holder[] {
  const published = publishedTypes(types);
  const states = published === types ? [types] : [types, published];
  const all = states.flatMap((state) => {
    const own = state.types[type.uid] ?? type;
    return [
      ...Object.values(state.types).flatMap((owner) => holdersIn(state, owner, own)),
      ...otherSidesOf(state, own),
    ];
  });
  // Where both states have the same storage, each holder is there twice.
  const distinct = new Map(all.map((holder) => [JSON.stringify(holder), holder]));
  return [...distinct.values()].sort((a, b) => (a.table < b.table ? -1 : 1));
}

function incrementHolder(dialect: Dialect, holder: Holder, deleted: number): Statement {
  const { table } = holder;
  if (holder.kind === 'row') {
    return incrementVersionsWhere(dialect, table, sql`${dialect.id(holder.column)} = ${deleted}`);
  }
  const { links, own, other } = holder;
  const having = sql`FROM ${dialect.id(links)} WHERE ${dialect.id(other)} = ${deleted}`;
  return incrementVersionsBySelect(dialect, table, sql`SELECT ${dialect.id(own)} AS k ${having}`);
}

/**
 * The statements to run before the DELETE of an entry, one for each relation to its type. They cost about as much as removing the
 * references, which the database does itself (ON DELETE).
 */
export function incrementVersionsOfReferrers(
  dialect: Dialect,
  types: ContentTypes,
  type: ContentType,
  id: number,
): readonly Statement[] {
  return holdersOf(types, type).map((holder) => incrementHolder(dialect, holder, id));
}
