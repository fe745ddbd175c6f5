/** The items of a release, as bodies name them. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { addIssue, type Issue, ValidationError } from '../../contract/errors.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import type { Executor } from '../../database/executor.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import { PUBLICATION_ACTIONS, type ScheduledAction } from './publication-rows.ts';
import type { ReleaseItem } from './release-rows.ts';

/** Items in one release: all of them are published in one transaction. */
export const MAX_ITEMS = 200;

interface GivenItem {
  readonly type: ContentType;
  readonly id: number | string | undefined;
  readonly locale: string | undefined;
  readonly action: ScheduledAction;
}

const NAMES: ReadonlySet<string> = new Set(['type', 'id', 'documentId', 'locale', 'action']);

function isAction(value: unknown): value is ScheduledAction {
  return PUBLICATION_ACTIONS.some((action) => action === value);
}

type Report = (name: string, message: string) => void;

function readItem({ types, locales }: ContentTypes, value: unknown, report: Report): GivenItem | undefined {
  if (!isRecord(value)) {
    report('', 'must be an object');
    return undefined;
  }
  for (const name of Object.keys(value)) if (!NAMES.has(name)) report(name, 'is not part of an item');
  const { type: uid, id, documentId, locale, action } = value;
  const type = typeof uid === 'string' && Object.hasOwn(types, uid) ? types[uid] : undefined;
  const scheduled = type?.schedules === true ? type : undefined;
  if (!scheduled) report('type', 'must be a type with drafts');
  const given = id ?? documentId;
  const isKey = typeof given === 'number' || typeof given === 'string';
  if (scheduled?.kind === 'collectionType' && !isKey) report('id', 'must be the id of an entry');
  if (locale !== undefined && !(typeof locale === 'string' && locales.includes(locale))) {
    report('locale', 'must be a locale of the server');
  }
  if (!isAction(action)) report('action', `must be one of ${PUBLICATION_ACTIONS.join(', ')}`);
  if (!scheduled || !isAction(action)) return undefined;
  return {
    type: scheduled,
    // With both, such as items of an answer have them, the row counts.
    id: isKey ? given : undefined,
    locale: typeof locale === 'string' ? locale : undefined,
    action,
  };
}

const DECIMAL = /^\d{1,16}$/u;

function condition({ locales }: ContentTypes, { type, id, locale }: GivenItem): Sql {
  const inLocale = type.localized ? sql` AND t.locale = ${locale ?? locales[0] ?? ''}` : raw('');
  if (type.kind === 'singleType') return sql`1 = 1${inLocale}`;
  if (typeof id === 'string' && !DECIMAL.test(id)) {
    return type.documentIds || type.localized ? sql`t.document_id = ${id}${inLocale}` : raw('1 = 0');
  }
  const row = sql`t.id = ${Number(id)}`;
  return type.localized && locale !== undefined ? sql`${row}${inLocale}` : row;
}

function itemOf({ type, action }: GivenItem, row: Row): ReleaseItem {
  return {
    type: type.uid,
    id: Number(row['id']),
    ...((type.documentIds || type.localized) && { documentId: String(row[COLUMN_NAMES.documentId]) }),
    ...(type.localized && { locale: String(row['locale']) }),
    action,
  };
}

async function findItem(executor: Executor, types: ContentTypes, given: GivenItem): Promise<ReleaseItem | undefined> {
  const { type } = given;
  const columns = raw(
    `t.id${type.documentIds || type.localized ? ', t.document_id' : ''}${type.localized ? ', t.locale' : ''}`,
  );
  const row = await executor.get(
    sql`SELECT ${columns} FROM ${executor.dialect.id(type.table)} AS t WHERE ${condition(types, given)}`,
  );
  return row && itemOf(given, row);
}

/** The items that a body names. Throws ValidationError that names each invalid one. */
export async function readItems(
  executor: Executor,
  types: ContentTypes,
  value: unknown,
): Promise<readonly ReleaseItem[]> {
  const issues: Issue[] = [];
  if (!Array.isArray(value)) throw new ValidationError([{ path: ['items'], message: 'items must be a list' }]);
  if (value.length > MAX_ITEMS) {
    throw new ValidationError([{ path: ['items'], message: `items must be at most ${MAX_ITEMS}` }]);
  }
  const items: ReleaseItem[] = [];
  const known = new Set<string>();
  for (const [index, one] of value.entries()) {
    const place = ['items', String(index)];
    const report: Report = (name, message) => {
      const path = name === '' ? place : [...place, name];
      addIssue(issues, path, () => `${path.join('.')} ${message}`);
    };
    const before = issues.length;
    const given = readItem(types, one, report);
    const item = given && issues.length === before ? await findItem(executor, types, given) : undefined;
    if (given && !item && issues.length === before) report('id', 'is not that of an entry');
    if (!item) continue;
    const key = `${item.type} ${item.id}`;
    if (known.has(key)) report('id', 'is in the release already');
    known.add(key);
    items.push(item);
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return items;
}
