/**
 * Before a row of a localized type is deleted: what refers to its entry by this row then refers to the first of the rows that
 * remain.
 */
import {
  type ContentType,
  type ContentTypes,
  isInverseStorage,
  type MorphStorage,
  type RelationAttribute,
} from '../../contract/content-type.ts';
import { publishedTypes } from '../../contract/states.ts';
import { byColumn, isItemAttribute, itemsInside } from '../../contract/item-attributes.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { deleteRows, sql } from '../../database/sql.ts';
import { statement, type Statement, type Step } from '../../database/write-plan.ts';
import { readItems, selectItems } from '../components/stored-items.ts';
import { inheritClaims } from './claims.ts';

/** The row that is deleted, and the row of the same entry that takes its place. */
interface Replacement {
  readonly id: number;
  readonly heir: number;
}

/** A relation of another row to the entry: a column, and, in a link table, the column that refers to the owner. */
interface Reference {
  readonly table: string;
  readonly column: string;
  readonly own?: string;
}

function ownReferences(owner: ContentType, attribute: RelationAttribute, uid: string): Reference[] {
  const { storage, target } = attribute;
  switch (storage.kind) {
    case 'foreignKey':
      return target === uid ? [{ table: owner.table, column: storage.column }] : [];
    case 'link':
      return target === uid ? [{ table: storage.table, column: storage.other, own: storage.own }] : [];
    case 'morph':
      return morphReferences(storage, uid);
    case 'inverseForeignKey':
    case 'inverseMorph':
      return [];
  }
}

function morphReferences({ table, own, targets }: MorphStorage, uid: string): Reference[] {
  const column = targets[uid];
  return column === undefined ? [] : [{ table, column, own }];
}

/** The relations between entries that refer to entries of the type, in both states. */
function referencesTo(types: ContentTypes, { uid }: ContentType): Reference[] {
  const all = [types, publishedTypes(types)].flatMap((state) =>
    Object.values(state.types).flatMap((owner) =>
      Object.values(owner.attributes).flatMap((attribute) => {
        const isBetween = attribute.type === 'relation' && attribute.shared && !isInverseStorage(attribute.storage);
        return isBetween ? ownReferences(owner, attribute, uid) : [];
      }),
    ),
  );
  return [...new Map(all.map((reference) => [`${reference.table} ${reference.column}`, reference])).values()];
}

function passOn(dialect: Dialect, { table, column, own }: Reference, { id, heir }: Replacement): Statement[] {
  const [rows, name] = [dialect.id(table), dialect.id(column)];
  const moved = statement(sql`UPDATE ${rows} SET ${name} = ${heir} WHERE ${name} = ${id}`);
  if (own === undefined) return [moved];
  const owner = dialect.id(own);
  const known = sql`SELECT k.o FROM (SELECT ${owner} AS o FROM ${rows} WHERE ${name} = ${heir}) AS k`;
  return [statement(deleteRows(rows, sql`${name} = ${id} AND ${owner} IN (${known})`)), moved];
}

/** The places of the entry in the lists of the other sides are those of its first row. */
function passOnPlaces(dialect: Dialect, type: ContentType, { id, heir }: Replacement): Statement[] {
  return Object.values(type.attributes).flatMap((attribute): Statement[] => {
    if (attribute.type !== 'relation' || !attribute.shared) return [];
    const { storage } = attribute;
    if (storage.kind === 'foreignKey' && storage.position !== undefined) {
      const place = dialect.id(storage.position);
      const from = sql`(SELECT ${place} AS place FROM ${dialect.id(type.table)} WHERE id = ${id})`;
      return [
        statement(dialect.updateFrom(type.table, from, { [storage.position]: sql`r.place` }, sql`t.id = ${heir}`)),
      ];
    }
    if (storage.kind !== 'link' || storage.isInverse || storage.otherPosition === undefined) return [];
    const [own, other, place] = [storage.own, storage.other, storage.otherPosition].map((name) => dialect.id(name));
    if (!own || !other || !place) return [];
    const from = sql`(SELECT ${other} AS other, ${place} AS place FROM ${dialect.id(storage.table)} WHERE ${own} = ${id})`;
    const isTheirs = sql`t.${own} = ${heir} AND t.${other} = r.other`;
    return [statement(dialect.updateFrom(storage.table, from, { [storage.otherPosition]: sql`r.place` }, isTheirs))];
  });
}

/** The links to a row from items that all locales of their entry share: ids of rows of the link table. */
async function sharedItemLinks(
  tx: Executor,
  types: ContentTypes,
  owner: ContentType,
  column: string,
  id: number,
): Promise<number[]> {
  const { dialect } = tx;
  const table = dialect.id(owner.componentLinks?.table ?? '');
  const shared = Object.values(owner.attributes)
    .filter(isItemAttribute)
    .filter((attribute) => attribute.shared);
  if (shared.length === 0) return [];
  const rows = await tx.all(
    sql`SELECT m.id AS link, m.item_id AS item, ${selectItems(dialect, shared)} FROM ${table} AS m JOIN ${dialect.id(owner.table)} AS e ON e.id = m.owner_id WHERE m.${dialect.id(column)} = ${id}`,
  );
  return rows.flatMap((row) => {
    const stored = readItems(row, shared);
    const isShared = shared.some((attribute) => {
      const inside = itemsInside(types, attribute, stored.get(attribute.column), byColumn);
      return [...inside].some(({ item }) => Number(item['id']) === Number(row['item']));
    });
    return isShared ? [Number(row['link'])] : [];
  });
}

async function passOnItemLinks(
  tx: Executor,
  types: ContentTypes,
  { uid }: ContentType,
  { id, heir }: Replacement,
): Promise<Statement[]> {
  const { dialect } = tx;
  const moved: Statement[] = [];
  const published = Object.values(publishedTypes(types).types).filter(({ draftAndPublish }) => draftAndPublish);
  for (const owner of [...Object.values(types.types), ...published]) {
    const column = owner.componentLinks?.targets[uid];
    if (!owner.componentLinks || column === undefined || !owner.localized) continue;
    const links = await sharedItemLinks(tx, types, owner, column, id);
    if (links.length === 0) continue;
    const table = dialect.id(owner.componentLinks.table);
    moved.push(
      statement(sql`UPDATE ${table} SET ${dialect.id(column)} = ${heir} WHERE ${dialect.isOneOf(sql`id`, links)}`),
    );
  }
  return moved;
}

/** The statements that let what refers to an entry by the row `id` refer to it by `heir`, which is its first row again. */
export async function moveToFirstRow(
  tx: Executor,
  types: ContentTypes,
  type: ContentType,
  replacement: Replacement,
): Promise<readonly Statement[]> {
  return [
    ...referencesTo(types, type).flatMap((reference) => passOn(tx.dialect, reference, replacement)),
    ...passOnPlaces(tx.dialect, type, replacement),
    ...(await passOnItemLinks(tx, types, type, replacement)),
  ];
}

/** The first row of the entry that remains, and whether `id` was the first. On engines with concurrent writers, all rows are locked. */
async function heirOf(
  tx: Executor,
  type: ContentType,
  id: number,
  gone: readonly number[],
): Promise<(Replacement & { readonly isFirst: boolean }) | undefined> {
  const { dialect } = tx;
  const table = dialect.id(type.table);
  const rows = await tx.all(
    sql`SELECT o.id FROM ${table} AS t JOIN ${table} AS o ON o.document_id = t.document_id WHERE t.id = ${id} ORDER BY o.id${dialect.rowLock}`,
  );
  const known = rows.map((row) => Number(row['id']));
  const heir = known.find((one) => one !== id && !gone.includes(one));
  return heir === undefined ? undefined : { id, heir, isFirst: known[0] === id };
}

/** The first row of the entry that a request leaves when it deletes the rows `gone`, of which `id` is one; undefined if none. */
export async function otherRowOf(
  tx: Executor,
  type: ContentType,
  id: number,
  gone: readonly number[],
): Promise<number | undefined> {
  return (await heirOf(tx, type, id, gone))?.heir;
}

/**
 * The steps before and after the DELETE of the row `id`; `gone` are all rows that the request deletes. None of them does anything
 * if no row of the entry remains.
 */
export function passOnLinks(
  types: ContentTypes,
  type: ContentType,
  id: number,
  gone: readonly number[],
): { readonly before: readonly Step[]; readonly after: readonly Step[] } {
  if (!type.localized) return { before: [], after: [] };
  let claims: readonly Statement[] = [];
  const before: Step = async (tx) => {
    const replacement = await heirOf(tx, type, id, gone);
    if (replacement === undefined) return [];
    claims = await inheritClaims(tx, type, replacement);
    if (!replacement.isFirst) return [];
    return moveToFirstRow(tx, types, type, replacement);
  };
  return { before: [before], after: [() => Promise.resolve(claims)] };
}
