/** The entries of one collection type: check, hooks, one transaction, and the answer read by one statement. */
import { sql } from '../database/sql.ts';
import { NotFoundError } from '../contract/errors.ts';
import { addLocale, flatAnswer, localizedEntry } from './localization/localizations.ts';
import { changeEntry, removeEntry } from './change-entry.ts';
import type { TypeContext } from './context.ts';
import { createEntry } from './create-entry.ts';
import { runAfter, runBefore, runBeforeDelete, transformEntry, transformList } from './hooks.ts';
import { entryAnswer } from '../query/answer.ts';
import { isEntryId } from '../query/entry-id.ts';
import type { CollectionService } from './service.ts';
import { getEntry, presumedEntry } from './stored-entry.ts';

function requireEntryId(id: number): void {
  if (!isEntryId(id)) throw new NotFoundError();
}

export function collectionService(context: TypeContext): CollectionService {
  const { database, reader, type, hooks } = context;
  return {
    async find(request) {
      return transformList(hooks, await reader.list(type, request), request.caller);
    },
    async findOne(id, request) {
      const answer = await reader.one(type, request, id);
      if (answer === undefined) throw new NotFoundError();
      return transformEntry(hooks, answer, request.caller);
    },
    async create(given, request) {
      const { caller, client, ownFiles } = request;
      const checked = reader.check(type, request);
      const data = await runBefore(hooks, 'beforeCreate', { data: given, caller });
      const answer = entryAnswer(await createEntry(context, { data, caller, checked, client, ownFiles }));
      await runAfter(hooks, 'afterCreate', answer, caller);
      return transformEntry(hooks, answer, caller);
    },
    async update(id, given, request) {
      const { caller, client, ownFiles } = request;
      const checked = reader.check(type, request);
      requireEntryId(id);
      const presumed = hooks?.beforeUpdate ? undefined : presumedEntry(type, id);
      const stored = presumed ?? (await getEntry(database, type, id));
      const data = await runBefore(hooks, 'beforeUpdate', { id, data: given, caller });
      const answer = entryAnswer(await changeEntry(context, stored, { data, caller, checked, client, ownFiles }));
      await runAfter(hooks, 'afterUpdate', answer, caller);
      return transformEntry(hooks, answer, caller);
    },
    async delete(id, request) {
      const { caller } = request;
      const checked = reader.check(type, request);
      requireEntryId(id);
      await getEntry(database, type, id);
      await runBeforeDelete(hooks, { id, caller });
      const answer = entryAnswer(await removeEntry(context, id, checked));
      await runAfter(hooks, 'afterDelete', answer, caller);
      return transformEntry(hooks, answer, caller);
    },
    async createLocalization(id, body, { caller, client }) {
      requireEntryId(id);
      const stored = await localizedEntry(context, caller, sql`t.id = ${id}`);
      const data = await runBefore(hooks, 'beforeCreate', { data: body, caller });
      const answer = entryAnswer(await addLocale(context, stored, { data, caller, client }));
      await runAfter(hooks, 'afterCreate', answer, caller);
      return flatAnswer(await transformEntry(hooks, answer, caller));
    },
  };
}
