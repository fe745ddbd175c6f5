/** The entries of one collection type: check, hooks, one transaction, and the answer read by one statement. */
import { sql } from '../database/sql.ts';
import { NotFoundError } from '../errors.ts';
import type { Caller } from '../policy/caller.ts';
import type { CheckedQuery } from '../query/reader.ts';
import type { StoredEntry, TypeContext } from './context.ts';
import { parseEntryId } from './entry-id.ts';
import { checkNewEntry, checkUpdate } from './entry-input.ts';
import { runAfter, runBefore, runBeforeDelete, transformEntry, transformList } from './hooks.ts';
import type { CollectionService, EntryRequest } from './service.ts';
import { namingTaken } from './unique.ts';
import { deleteEntry, insertEntry, updateEntry } from './write-entry.ts';

/** The body that answers one entry. */
export function entryBody(entry: string): string {
  return `{"data":${entry},"meta":{}}`;
}

/** Looks an entry up by its id. Throws NotFoundError if there is none. */
async function storedEntry({ database, type }: TypeContext, id: number): Promise<StoredEntry> {
  const { id: quote } = database.dialect;
  const column = type.draftAndPublish ? sql`published_at` : sql`NULL`;
  const row = await database.get(sql`SELECT ${column} AS published_at FROM ${quote(type.table)} WHERE id = ${id}`);
  if (!row) throw new NotFoundError();
  return { id, publishedAt: row['published_at'] === null ? null : String(row['published_at']) };
}

/** What a write is given: the data after the hooks, who asks, and what to answer. */
export interface WriteRequest {
  readonly data: unknown;
  readonly caller: Caller;
  readonly checked: CheckedQuery;
}

/** Validates and stores a new entry; answers its text. */
async function createEntry(context: TypeContext, { data, caller, checked }: WriteRequest): Promise<string> {
  const { database, reader, types, type } = context;
  const input = await checkNewEntry(context, data);
  return namingTaken(context, { input, self: {} }, () =>
    database.transaction(async (tx) => {
      const id = await insertEntry({ tx, types, type, caller }, input);
      return reader.entry(tx, checked, id);
    }),
  );
}

/** Validates and applies an update of an existing entry; answers its text. */
export async function changeEntry(
  context: TypeContext,
  stored: StoredEntry,
  { data, caller, checked }: WriteRequest,
): Promise<string> {
  const { database, reader, types, type } = context;
  const { id } = stored;
  const input = await checkUpdate(context, stored, data);
  return namingTaken(context, { input, self: { id } }, () =>
    database.transaction(async (tx) => {
      if (!(await updateEntry({ tx, types, type, caller }, id, input))) throw new NotFoundError();
      return reader.entry(tx, checked, id);
    }),
  );
}

/** Deletes an entry; answers its text as it was. */
export async function removeEntry(context: TypeContext, id: number, checked: CheckedQuery): Promise<string> {
  const { database, reader, type } = context;
  return database.transaction(async (tx) => {
    const entry = await reader.findEntry(tx, checked, id);
    if (entry === undefined) throw new NotFoundError();
    await deleteEntry({ tx, type }, id);
    return entry;
  });
}

export function collectionService(context: TypeContext): CollectionService {
  const { database, reader, type, hooks } = context;
  const answer = async (entry: string, { caller }: EntryRequest) =>
    entryBody(await transformEntry(hooks, entry, caller));
  return {
    async find(request) {
      return transformList(hooks, await reader.list(type, request.caller, request.query), request.caller);
    },
    async findOne(segment, request) {
      const entry = await reader.one(database, type, request.caller, request.query, () => parseEntryId(segment));
      if (entry === undefined) throw new NotFoundError();
      return answer(entry, request);
    },
    async create(given, request) {
      const { caller } = request;
      const checked = reader.check(type, caller, request.query);
      const data = await runBefore(hooks, 'beforeCreate', { data: given, caller });
      const entry = await createEntry(context, { data, caller, checked });
      await runAfter(hooks, 'afterCreate', entry, caller);
      return answer(entry, request);
    },
    async update(segment, given, request) {
      const { caller } = request;
      const checked = reader.check(type, caller, request.query);
      const stored = await storedEntry(context, parseEntryId(segment));
      const data = await runBefore(hooks, 'beforeUpdate', { id: stored.id, data: given, caller });
      const entry = await changeEntry(context, stored, { data, caller, checked });
      await runAfter(hooks, 'afterUpdate', entry, caller);
      return answer(entry, request);
    },
    async delete(segment, request) {
      const { caller } = request;
      const checked = reader.check(type, caller, request.query);
      const { id } = await storedEntry(context, parseEntryId(segment));
      await runBeforeDelete(hooks, { id, caller });
      const entry = await removeEntry(context, id, checked);
      await runAfter(hooks, 'afterDelete', entry, caller);
      return answer(entry, request);
    },
  };
}
