/** The entries of one collection type: check, hooks, one transaction, and the answer read by one statement. */
import { sql } from '../database/sql.ts';
import { NotFoundError } from '../contract/errors.ts';
import { addLocale, flatEntry, localizedEntry } from './localization/localizations.ts';
import { changeEntry, removeEntry } from './change-entry.ts';
import type { TypeContext } from './context.ts';
import { createEntry } from './create-entry.ts';
import { entryBody } from './entry-body.ts';
import { parseEntryId } from './entry-id.ts';
import { runAfter, runBefore, runBeforeDelete, transformEntry, transformList } from './hooks.ts';
import type { CollectionService } from './service.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import { getEntry, presumedEntry } from './stored-entry.ts';

export function collectionService(context: TypeContext): CollectionService {
  const { database, reader, type, hooks } = context;
  const answer = async (entry: string, { caller }: EntryRequest) =>
    entryBody(await transformEntry(hooks, entry, caller));
  return {
    async find(request) {
      return transformList(hooks, await reader.list(type, request), request.caller);
    },
    async findOne(segment, request) {
      const entry = await reader.one(type, request, () => parseEntryId(segment));
      if (entry === undefined) throw new NotFoundError();
      return answer(entry, request);
    },
    async create(given, request) {
      const { caller, client, ownFiles } = request;
      const checked = reader.check(type, caller, request.query);
      const data = await runBefore(hooks, 'beforeCreate', { data: given, caller });
      const entry = await createEntry(context, { data, caller, checked, client, ownFiles });
      await runAfter(hooks, 'afterCreate', entry, caller);
      return answer(entry, request);
    },
    async update(segment, given, request) {
      const { caller, client, ownFiles } = request;
      const checked = reader.check(type, caller, request.query);
      const id = parseEntryId(segment);
      const presumed = hooks?.beforeUpdate ? undefined : presumedEntry(type, id);
      const stored = presumed ?? (await getEntry(database, type, id));
      const data = await runBefore(hooks, 'beforeUpdate', { id, data: given, caller });
      const entry = await changeEntry(context, stored, { data, caller, checked, client, ownFiles });
      await runAfter(hooks, 'afterUpdate', entry, caller);
      return answer(entry, request);
    },
    async delete(segment, request) {
      const { caller } = request;
      const checked = reader.check(type, caller, request.query);
      const { id } = await getEntry(database, type, parseEntryId(segment));
      await runBeforeDelete(hooks, { id, caller });
      const entry = await removeEntry(context, id, checked);
      await runAfter(hooks, 'afterDelete', entry, caller);
      return answer(entry, request);
    },
    async createLocalization(segment, body, { caller, client }) {
      const stored = await localizedEntry(context, caller, sql`t.id = ${parseEntryId(segment)}`);
      const data = await runBefore(hooks, 'beforeCreate', { data: body, caller });
      const entry = await addLocale(context, stored, { data, caller, client });
      await runAfter(hooks, 'afterCreate', entry, caller);
      return flatEntry(await transformEntry(hooks, entry, caller));
    },
  };
}
