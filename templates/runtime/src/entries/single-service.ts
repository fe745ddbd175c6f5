/** The one entry of a single type: its first update creates it. */
import type { Executor } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { NotFoundError } from '../errors.ts';
import { changeEntry, entryBody, removeEntry, type WriteRequest } from './collection-service.ts';
import type { StoredEntry, TypeContext } from './context.ts';
import { checkNewEntry } from './entry-input.ts';
import { runAfter, runBefore, runBeforeDelete, transformEntry } from './hooks.ts';
import type { EntryRequest, SingleService } from './service.ts';
import { insertEntry } from './write-entry.ts';

async function currentEntry(executor: Executor, { type }: TypeContext): Promise<StoredEntry | undefined> {
  const publication = type.draftAndPublish ? sql`published_at` : sql`NULL`;
  const row = await executor.get(
    sql`SELECT id, ${publication} AS published_at FROM ${executor.dialect.id(type.table)}`,
  );
  if (!row) return undefined;
  return { id: Number(row['id']), publishedAt: row['published_at'] === null ? null : String(row['published_at']) };
}

/** Creates the entry, unless another request did so meanwhile: then undefined. */
async function createOnce(context: TypeContext, { data, caller, checked }: WriteRequest): Promise<string | undefined> {
  const { database, reader, types, type } = context;
  const input = await checkNewEntry(context, data);
  return database.transaction(async (tx) => {
    if (await currentEntry(tx, context)) return undefined;
    return reader.entry(tx, checked, await insertEntry({ tx, types, type, caller }, input));
  });
}

async function changeCurrent(context: TypeContext, write: WriteRequest): Promise<string> {
  const stored = await currentEntry(context.database, context);
  if (!stored) throw new NotFoundError();
  return changeEntry(context, stored, write);
}

export function singleService(context: TypeContext): SingleService {
  const { database, reader, type, hooks } = context;
  const answer = async (entry: string, { caller }: EntryRequest) =>
    entryBody(await transformEntry(hooks, entry, caller));
  return {
    async find(request) {
      const entry = await reader.single(database, type, request.caller, request.query);
      if (entry === undefined) throw new NotFoundError();
      return answer(entry, request);
    },
    async save(given, request) {
      const { caller } = request;
      const checked = reader.check(type, caller, request.query);
      const stored = await currentEntry(database, context);
      const data = await runBefore(hooks, 'beforeUpdate', { id: stored?.id, data: given, caller });
      const write = { data, caller, checked };
      const created = stored ? undefined : await createOnce(context, write);
      const text = created ?? (await changeCurrent(context, write));
      await runAfter(hooks, 'afterUpdate', text, caller);
      return { body: await answer(text, request), created: created !== undefined };
    },
    async delete(request) {
      const { caller } = request;
      const checked = reader.check(type, caller, request.query);
      const stored = await currentEntry(database, context);
      if (!stored) throw new NotFoundError();
      await runBeforeDelete(hooks, { id: stored.id, caller });
      const entry = await removeEntry(context, stored.id, checked);
      await runAfter(hooks, 'afterDelete', entry, caller);
      return answer(entry, request);
    },
  };
}
