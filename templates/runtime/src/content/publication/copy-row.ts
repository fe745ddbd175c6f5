/** Copies the row of an entry from one state to the other. */
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import type { Attribute, ContentType } from '../../contract/content-type.ts';
import { isLinkAttribute } from '../../contract/item-attributes.ts';
import { deleteRows, join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type TouchedRows } from '../../database/write-plan.ts';
import { randomFirstVersion, touching, VERSION_COLUMN, versionIncrementOfT } from '../../write/version.ts';
import { columnOf } from '../relations/list-table.ts';
import { changedLists, isCopied, type State, type StateCopy } from './state-copy.ts';

/** The columns of an attribute in the row of its entry. */
interface AttributeColumns {
  /** Column → the column that its value is copied from. */
  readonly plain: readonly (readonly [column: string, from: string])[];
  /** The place in the list of the entry to which a foreign key refers: it stays while the key does. */
  readonly placed?: { readonly key: string; readonly position: string };
  /** A foreign key to an entry that no other row may refer to. */
  readonly unique?: string;
  readonly claim?: string;
}

function columnsOf(attribute: Attribute): AttributeColumns {
  if (!isLinkAttribute(attribute)) {
    const { column } = attribute;
    const claim = 'claim' in attribute ? attribute.claim : undefined;
    return {
      plain: [[column, column], ...(claim === undefined ? [] : [[claim, column] as const])],
      ...(claim !== undefined && { claim }),
    };
  }
  const { storage } = attribute;
  if (storage.kind !== 'foreignKey') return { plain: [] };
  const { column, position, unique } = storage;
  return {
    plain: [[column, column]],
    ...(position !== undefined && { placed: { key: column, position } }),
    ...(unique && { unique: column }),
  };
}

function systemColumns({ localized, documentIds, kind }: ContentType): readonly string[] {
  return [
    NAMES.createdAt,
    NAMES.updatedAt,
    NAMES.publishedAt,
    ...(localized || documentIds ? [NAMES.documentId] : []),
    ...(localized ? [NAMES.locale] : []),
    ...(kind === 'singleType' ? [NAMES.singleton] : []),
  ];
}

/** What is copied of a row. */
export interface RowParts {
  readonly attributes: readonly Attribute[];
  /** Whether the columns of the server are copied, too. */
  readonly isWhole: boolean;
}

/** Takes one-to-one targets from the rows that have them in the replaced state. */
function releaseTargets(copy: StateCopy, { attributes }: RowParts): Statement[] {
  const { dialect, from, to } = copy;
  return attributes.map(columnsOf).flatMap(({ unique }) => {
    if (unique === undefined) return [];
    const key = dialect.id(unique);
    const locale = to.type.localized ? sql`, locale AS l` : raw('');
    const rows = sql`(SELECT id, ${key} AS k${locale} FROM ${dialect.id(from.type.table)} WHERE ${isCopied(copy, raw('id'))})`;
    const inLocale = to.type.localized ? sql` AND t.locale = r.l` : raw('');
    const where = sql`t.${key} = r.k AND t.id <> r.id${inLocale}`;
    const { table } = to.type;
    const released = sql`SELECT t.id AS k FROM ${dialect.id(table)} AS t JOIN ${rows} AS r ON ${where}`;
    const assign = { [unique]: raw('NULL'), ...versionIncrementOfT(dialect) };
    return [touching(dialect.updateFrom(table, rows, assign, where), { table, ids: released })];
  });
}

/** One row of each entry claims its unique values: in the replaced state, the copied one. */
function releaseClaims(copy: StateCopy, { attributes }: RowParts): Statement[] {
  const { dialect, from, to } = copy;
  const claims = attributes.map(columnsOf).flatMap(({ claim }) => claim ?? []);
  if (claims.length === 0) return [];
  const rows = sql`(SELECT id, document_id FROM ${dialect.id(from.type.table)} WHERE ${isCopied(copy, raw('id'))})`;
  const assign = Object.fromEntries(claims.map((claim) => [claim, raw('NULL')]));
  return [
    statement(dialect.updateFrom(to.type.table, rows, assign, sql`t.document_id = r.document_id AND t.id <> r.id`)),
  ];
}

/** The entries that the rows refer to, in each of the states: their lists change in the replaced one. */
function referred(copy: StateCopy, attributes: readonly Attribute[], states: readonly State[]): readonly TouchedRows[] {
  const { dialect, to } = copy;
  return attributes.flatMap((attribute): readonly TouchedRows[] => {
    if (attribute.type !== 'relation' || attribute.storage.kind !== 'foreignKey') return [];
    const target = to.types.types[attribute.target ?? ''];
    if (attribute.inverse === undefined || !target) return [];
    const key = dialect.id(attribute.storage.column);
    const keys = states.map(
      ({ type: { table } }) =>
        sql`SELECT ${key} AS k FROM ${dialect.id(table)} WHERE ${isCopied(copy, raw('id'))} AND ${key} IS NOT NULL`,
    );
    return [{ table: target.table, ids: join(keys, ' UNION ') }];
  });
}

function referredRows(copy: StateCopy, attributes: readonly Attribute[]): readonly TouchedRows[] {
  return referred(copy, attributes, [copy.from, copy.to]);
}

/** Deletes rows of the replaced state. */
export function removeRows(copy: StateCopy): Statement {
  const { dialect, to } = copy;
  const { table, attributes } = to.type;
  return touching(
    deleteRows(dialect.id(table), isCopied(copy, raw('id'))),
    referred(copy, Object.values(attributes), [to]),
  );
}

/** Replaces the parts of rows that exist in both states. */
export function replaceRows(copy: StateCopy, parts: RowParts): readonly Statement[] {
  const { dialect, from, to } = copy;
  const all = parts.attributes.map(columnsOf);
  // Before the keys on which they depend: not every engine assigns all columns at once.
  const placed = all.flatMap(({ placed: place }) => {
    if (!place) return [];
    const [key, position] = [dialect.id(place.key), dialect.id(place.position)];
    return [[place.position, sql`CASE WHEN t.${key} = r.${key} THEN t.${position} ELSE r.${position} END`] as const];
  });
  const plain = all.flatMap((columns) => columns.plain.filter(([name]) => parts.isWhole || name !== columns.claim));
  const system = parts.isWhole ? systemColumns(from.type).map((name) => [name, name] as const) : [];
  const copied = [...plain, ...system].map(([name, source]) => [name, columnOf(dialect, 'r', source)] as const);
  if (placed.length + copied.length === 0) return [];
  const version = { [VERSION_COLUMN]: sql`t.${dialect.id(VERSION_COLUMN)} + 1` };
  const rows = sql`(SELECT * FROM ${dialect.id(from.type.table)} WHERE ${isCopied(copy, raw('id'))})`;
  const assign = { ...Object.fromEntries([...placed, ...copied]), ...version };
  const lists = changedLists(copy, referredRows(copy, parts.attributes));
  return [
    ...lists.before,
    ...releaseTargets(copy, parts),
    ...(parts.isWhole ? releaseClaims(copy, parts) : []),
    touching(dialect.updateFrom(to.type.table, rows, assign, sql`t.id = r.id`), [
      { table: to.type.table, ids: copy.ids },
      ...lists.touches,
    ]),
  ];
}

/** Adds rows that do not exist in the replaced state yet. */
export function addRows(copy: StateCopy, attributes: readonly Attribute[]): readonly Statement[] {
  const { dialect, from, to } = copy;
  const { id } = dialect;
  const all = attributes.map(columnsOf);
  const same = (name: string): readonly [string, string] => [name, name];
  const columns = [
    same('id'),
    ...systemColumns(from.type).map(same),
    ...all.flatMap(({ plain }) => plain),
    ...all.flatMap(({ placed }) => (placed ? [same(placed.position)] : [])),
  ];
  const listed = (names: readonly string[]): Sql =>
    join(
      names.map((name) => id(name)),
      ', ',
    );
  // Versions of drafts and of what is published must not be mistaken for each other.
  const version = raw(String(randomFirstVersion()));
  const into = sql`INSERT INTO ${id(to.type.table)} (${id(VERSION_COLUMN)}, ${listed(columns.map(([name]) => name))})`;
  const rows = sql`SELECT ${version}, ${listed(columns.map(([, source]) => source))} FROM ${id(from.type.table)} WHERE ${isCopied(copy, raw('id'))}`;
  const parts = { attributes, isWhole: true };
  const touches = [{ table: to.type.table, ids: copy.ids }, ...referredRows(copy, attributes)];
  const added = touching(sql`${into} ${rows}`, touches);
  return [...releaseTargets(copy, parts), ...releaseClaims(copy, parts), added];
}
