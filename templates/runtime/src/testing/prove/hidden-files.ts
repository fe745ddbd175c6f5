/**
 * Which files a caller may find, by the text of the rules: those of entries that the caller finds, own uploads, or all. Nothing of what
 * enforces rules is used.
 */
import type { ContentType } from '../../contract/content-type.ts';
import { type Caller, may, ruleOf } from '../../contract/policy/caller.ts';
import type { JsonValue } from '../../contract/values/json.ts';
import { publishedTypes } from '../../contract/states.ts';
import { sql } from '../../database/sql.ts';
import { referencesOf } from '../../features/upload/file-rows.ts';
import type { ServerDefinition } from '../../server/definition.ts';
import type { EntryIds } from './hidden-entries.ts';
import { uploaderColumn } from './twin-files.ts';
import type { Twin, TwinCaller } from './twins.ts';

const READING = ['find', 'findOne'] as const;

type Ids = ReadonlySet<number>;

/** The type with the attributes that the caller may read by any action. */
function readPart(caller: Caller, type: ContentType): ContentType {
  const rules = READING.filter((action) => may(caller, action, type.uid)).map((action) =>
    ruleOf(caller, action, type.uid),
  );
  const isRead = (name: string): boolean =>
    rules.some((rule) => rule?.only?.includes(name) !== false && rule?.except?.includes(name) !== true);
  const attributes = Object.entries(type.attributes).filter(
    ([name, { private: isPrivate }]) => isRead(name) && !isPrivate,
  );
  const hasItems = attributes.some(([, { type: kind }]) => kind === 'component' || kind === 'dynamiczone');
  const { componentLinks, ...own } = type;
  return { ...own, attributes: Object.fromEntries(attributes), ...(hasItems && componentLinks && { componentLinks }) };
}

/** The files of those of the entries that are there in this state. */
async function filesOf({ database }: Twin, type: ContentType, ids: Ids, into: Set<number>): Promise<void> {
  const { id: quote } = database.dialect;
  for (const { table, column, owner } of referencesOf(type)) {
    const rows = await database.all(
      sql`SELECT ${quote(owner)} AS entry, ${quote(column)} AS file FROM ${quote(table)} WHERE ${quote(column)} IS NOT NULL`,
    );
    for (const { entry, file } of rows) if (ids.has(Number(entry))) into.add(Number(file));
  }
}

/** The files of entries that the caller finds, as published and as drafts. */
async function usedFiles(
  twin: Twin,
  { contentTypes, routes }: ServerDefinition,
  caller: Caller,
  visible: ReadonlyMap<string, EntryIds>,
): Promise<Ids> {
  const used = new Set<number>();
  for (const uid of Object.keys(routes)) {
    const type = contentTypes.types[uid];
    if (!type || !READING.some((action) => may(caller, action, uid))) continue;
    const { found, drafts } = visible.get(uid) ?? (await everyEntry(twin, type));
    const published = publishedTypes(contentTypes).types[uid] ?? type;
    await filesOf(twin, readPart(caller, published), found, used);
    if (type.draftAndPublish) await filesOf(twin, readPart(caller, type), drafts, used);
  }
  return used;
}

/** Single types, which no rule narrows here. */
async function everyEntry({ database }: Twin, { table }: ContentType): Promise<Pick<EntryIds, 'found' | 'drafts'>> {
  const rows = await database.all(sql`SELECT id FROM ${database.dialect.id(table)}`);
  const ids = new Set(rows.map(({ id }) => Number(id)));
  return { found: ids, drafts: ids };
}

interface Files {
  readonly all: Ids;
  readonly used: Ids;
  readonly own: Ids;
}

function both(one: Ids, other: Ids): Ids {
  return new Set([...one].filter((id) => other.has(id)));
}

function either(one: Ids, other: Ids): Ids {
  return new Set([...one, ...other]);
}

/** The files that a filter of a rule reaches. */
function reachedBy(where: JsonValue | undefined, files: Files): Ids {
  const parts = Object.entries((where ?? {}) as Readonly<Record<string, JsonValue>>).map(([name, value]): Ids => {
    if (name === 'usedBy') return files.used;
    if (name === 'uploadedBy') return files.own;
    const inner = (value as readonly JsonValue[]).map((each) => reachedBy(each, files));
    return name === '$or' ? inner.reduce(either, new Set<number>()) : inner.reduce(both, files.all);
  });
  return parts.reduce(both, files.all);
}

/** The files that the caller finds in lists, by id, or in entries. */
export async function visibleFiles(
  twin: Twin,
  definition: ServerDefinition,
  { policy, caller }: { readonly policy: Caller; readonly caller: TwinCaller },
  visible: ReadonlyMap<string, EntryIds>,
): Promise<EntryIds> {
  const type = definition.contentTypes.types['file'];
  if (!type) return { found: new Set(), drafts: new Set(), byAction: '' };
  const { database } = twin;
  const { id: quote } = database.dialect;
  const column = uploaderColumn(type);
  const uploader = column === undefined ? sql`NULL` : quote(column);
  const rows = await database.all(sql`SELECT id, ${uploader} AS uploader FROM ${quote(type.table)}`);
  const isOwn = ({ uploader: by }: (typeof rows)[number]): boolean => by !== null && Number(by) === caller.userId;
  const files: Files = {
    all: new Set(rows.map(({ id }) => Number(id))),
    used: await usedFiles(twin, definition, policy, visible),
    own: new Set(rows.filter(isOwn).map(({ id }) => Number(id))),
  };
  // Entries are shown with their files, unless a rule says which of them are found.
  let found = ruleOf(policy, 'find', type.uid) ? new Set<number>() : files.used;
  const ordered = (ids: Ids): readonly number[] => [...ids].sort((one, other) => one - other);
  const byAction: unknown[] = [ordered(files.used)];
  for (const action of READING) {
    if (!may(policy, action, type.uid)) continue;
    const reached = reachedBy(ruleOf(policy, action, type.uid)?.where, files);
    found = either(found, reached);
    byAction.push([action, ordered(reached)]);
  }
  return { found, drafts: new Set(), byAction: JSON.stringify(byAction) };
}
