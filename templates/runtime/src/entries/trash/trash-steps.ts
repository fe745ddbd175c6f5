/** The steps that keep what a write deletes, in its transaction. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Cell, TransferTable } from '../../contract/content-transfer.ts';
import { kindsOf } from '../../contract/item-attributes.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { type CapturedTable, captureRows } from '../../content/stored-rows/captured-rows.ts';
import { contentTables } from '../../content/stored-rows/stored-tables.ts';
import type { Executor } from '../../database/executor.ts';
import { raw, sql } from '../../database/sql.ts';
import { statement, type Statement, type Step } from '../../database/write-plan.ts';
import type { Augment } from '../../write/augment.ts';
import { table, type TrashContent } from './trash-rows.ts';

const DAY = 24 * 3_600_000;

const known = new WeakMap<ContentTypes, readonly TransferTable[]>();

/** The tables in which content is stored, in both states. */
export function tablesOf(types: ContentTypes): readonly TransferTable[] {
  const tables = known.get(types) ?? contentTables(types);
  known.set(types, tables);
  return tables;
}

/** Who has deleted, as JSON. */
function actorOf(caller: Caller | undefined): string {
  const { kind = 'server', userId, tokenId } = caller ?? {};
  const id = tokenId ?? userId;
  return JSON.stringify(id === undefined ? { kind } : { kind, id });
}

/** The attribute that people know entries by. */
function titleColumn({ admin, attributes }: ContentType): string | undefined {
  const scalars = kindsOf(attributes).scalars.filter(
    ([, { type, private: isPrivate }]) => (type === 'string' || type === 'uid') && isPrivate !== true,
  );
  const main = scalars.find(([name]) => name === admin?.mainField) ?? scalars[0];
  return main?.[1].column;
}

/** The values of a column of the entries' own rows. */
function cellsOf(tables: readonly CapturedTable[], name: string, column: string | undefined): readonly Cell[] {
  const rows = tables.find((one) => one.table === name && !one.fills);
  const at = column === undefined ? -1 : (rows?.columns.indexOf(column) ?? -1);
  return at < 0 ? [] : (rows?.rows.map((row) => row[at] ?? null) ?? []);
}

/** The rows of each entry: those of a localized type are its locales. */
async function entriesOf(
  executor: Executor,
  type: ContentType,
  ids: readonly number[],
): Promise<readonly { readonly ids: readonly number[]; readonly documentId: string | null }[]> {
  const { id, isOneOf, rowLock } = executor.dialect;
  const hasDocuments = type.documentIds === true || type.localized;
  const columns = raw(hasDocuments ? 't.id, t.document_id' : 't.id');
  // Others can't come to refer to the rows from here on.
  const rows = await executor.all(
    sql`SELECT ${columns} FROM ${id(type.table)} AS t WHERE ${isOneOf(raw('t.id'), ids)} ORDER BY t.id${rowLock}`,
  );
  const found = new Map<string, { ids: number[]; documentId: string | null }>();
  for (const row of rows) {
    const documentId = hasDocuments ? String(row[COLUMN_NAMES.documentId]) : null;
    const key = documentId ?? String(row['id']);
    const entry = found.get(key) ?? { ids: [], documentId };
    entry.ids.push(Number(row['id']));
    found.set(key, entry);
  }
  return [...found.values()];
}

async function keep(
  executor: Executor,
  types: ContentTypes,
  type: ContentType,
  { ids, by }: { readonly ids: readonly number[]; readonly by: Caller | undefined },
): Promise<readonly Statement[]> {
  const kept: Statement[] = [];
  for (const entry of await entriesOf(executor, type, ids)) {
    const tables = await captureRows(executor, tablesOf(types), { table: type.table, ids: entry.ids });
    const content: TrashContent = { ids: entry.ids, tables };
    const title = cellsOf(tables, type.table, titleColumn(type)).find((cell) => cell !== null) ?? null;
    const locales = type.localized ? JSON.stringify(cellsOf(tables, type.table, 'locale')) : null;
    const isPublished = !type.published || tables.some(({ table: name }) => name === type.published?.table);
    const { now } = executor.dialect;
    const until = sql`${now} + ${raw(String((type.trash ?? 0) * DAY))}`;
    const values = sql`${type.uid}, ${entry.ids[0] ?? 0}, ${entry.documentId}, ${title === null ? null : String(title)}, ${locales}, ${isPublished ? 1 : 0}, ${now}, ${until}, ${actorOf(by)}, ${JSON.stringify(content)}`;
    kept.push(
      statement(
        sql`INSERT INTO ${table} (subject, entry_id, document_id, title, locales, is_published, deleted_at, due_at, actor, content) VALUES (${values})`,
      ),
    );
  }
  return kept;
}

/** Keeps what writes delete of types with a trash. */
export function trashSteps(types: ContentTypes): Augment {
  return ({ subjects, by }) => {
    const deleted = new Map<ContentType, number[]>();
    for (const { action, type: uid, id, isFinal } of subjects) {
      const isKept = action === 'delete' && !isFinal && typeof id === 'number';
      const type = isKept ? types.types[uid] : undefined;
      if (type?.trash !== undefined) deleted.set(type, [...(deleted.get(type) ?? []), Number(id)]);
    }
    const before = [...deleted].map(
      ([type, ids]): Step =>
        (tx) =>
          keep(tx, types, type, { ids, by: by?.caller }),
    );
    return { before, after: [] };
  };
}
