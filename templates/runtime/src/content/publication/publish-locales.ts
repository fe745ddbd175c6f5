/** What is published of an entry has the same shared attributes in all locales: publishing one of them publishes these for all. */
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import { isItemAttribute, isLinkAttribute } from '../../contract/item-attributes.ts';
import type { Executor } from '../../database/executor.ts';
import { NewId } from '../../database/new-id.ts';
import { deleteRows, join, raw, sql } from '../../database/sql.ts';
import { statement, type Statement, type Step, type Transaction } from '../../database/write-plan.ts';
import { readSharedItems } from '../localization/component-links.ts';
import { type NamedAttribute, repeatedAttributes } from '../localization/shared-attributes.ts';
import { copyRelation } from './copy-relation.ts';
import { replaceRows } from './copy-row.ts';
import { publication, publishedState, type State } from './state-copy.ts';

/** The row that is published. */
interface PublishedRow {
  readonly id: number | NewId;
  readonly documentId: string;
  /** Whether the write that publishes it changes attributes that all locales share. */
  readonly changesShared: boolean;
}

/** Other published locales, and those of them whose drafts do not differ. */
interface Others {
  readonly all: readonly number[];
  readonly unmodified: readonly number[];
}

async function readOthers(
  tx: Executor,
  versioned: State,
  { id, documentId }: Omit<PublishedRow, 'changesShared'>,
): Promise<Others> {
  const { id: name } = tx.dialect;
  const { type } = publishedState(versioned);
  const isOther = id instanceof NewId ? raw('') : sql` AND p.id <> ${id}`;
  const rows = await tx.all(
    sql`SELECT p.id, CASE WHEN p.updated_at = d.updated_at THEN 1 ELSE 0 END AS same FROM ${name(type.table)} AS p JOIN ${name(versioned.type.table)} AS d ON d.id = p.id WHERE p.document_id = ${documentId}${isOther} ORDER BY p.id`,
  );
  const idOf = (row: (typeof rows)[number]): number => Number(row['id']);
  return { all: rows.map(idOf), unmodified: rows.filter((row) => Number(row['same']) === 1).map(idOf) };
}

/** The links of the items that all locales share. */
async function copyItemLinks(
  tx: Executor,
  versioned: State,
  row: number,
  { others, shared }: { readonly others: readonly number[]; readonly shared: readonly NamedAttribute[] },
): Promise<readonly Statement[]> {
  const { dialect } = tx;
  const published = publishedState(versioned);
  const [from, to] = [versioned.type.componentLinks, published.type.componentLinks];
  const attributes = shared.filter(([, attribute]) => isItemAttribute(attribute));
  if (!from || !to || attributes.length === 0) return [];
  const former = await readSharedItems({ tx, ...published }, { from: row, to: others, attributes });
  const items = await readSharedItems({ tx, ...versioned }, { from: row, to: [], attributes });
  const names = [NAMES.owner, NAMES.item, NAMES.itemAttribute, NAMES.position, ...Object.values(from.targets)];
  const columns = join(
    names.map((each) => dialect.id(each)),
    ', ',
  );
  const isOf = (ids: ReadonlySet<number> | undefined) =>
    sql`${dialect.isOneOf(raw(NAMES.owner), others)} AND ${dialect.isOneOf(raw(NAMES.item), [...(ids ?? [])])}`;
  return [
    statement(deleteRows(dialect.id(to.table), isOf(former?.to))),
    statement(
      sql`INSERT INTO ${dialect.id(to.table)} (${columns}) SELECT ${columns} FROM ${dialect.id(from.table)} WHERE ${isOf(items?.from)} ORDER BY id`,
    ),
  ];
}

/** The steps that publish the shared attributes of the other published locales, whose drafts have them already. */
export async function publishToLocales(tx: Executor, versioned: State, row: PublishedRow): Promise<readonly Step[]> {
  const shared = repeatedAttributes(versioned.type);
  if (shared.length === 0) return [];
  const { all, unmodified } = await readOthers(tx, versioned, row);
  // Relations may have been changed from their other sides.
  const mayDiffer = row.changesShared || shared.some(([, attribute]) => isLinkAttribute(attribute));
  const others = mayDiffer ? all : all.filter((id) => !unmodified.includes(id));
  if (others.length === 0) return [];
  const copy = publication(tx.dialect, versioned, others);
  const links = shared.flatMap(([name, attribute]) =>
    isLinkAttribute(attribute) ? copyRelation(copy, name, attribute) : [],
  );
  const rows = replaceRows(copy, { attributes: shared.map(([, attribute]) => attribute), isWhole: false });
  const times = sql`(SELECT id, updated_at FROM ${tx.dialect.id(versioned.type.table)} WHERE ${tx.dialect.isOneOf(raw('id'), unmodified)})`;
  const { table } = publishedState(versioned).type;
  const same = tx.dialect.updateFrom(table, times, { updated_at: raw('r.updated_at') }, raw('t.id = r.id'));
  const items = async (later: Transaction): Promise<readonly Step[]> => {
    const id = row.id instanceof NewId ? row.id.value : row.id;
    return copyItemLinks(later, versioned, id, { others, shared });
  };
  return [items, ...rows, ...links, ...(mayDiffer && unmodified.length > 0 ? [statement(same)] : [])];
}
