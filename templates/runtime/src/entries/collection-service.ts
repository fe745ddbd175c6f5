/** The entries of a collection type: validation, hooks, one transaction, and one statement that reads the answer. */
import { sql } from '../database/sql.ts';
import { NotFoundError } from '../contract/errors.ts';
import { addLocale, flatAnswer, localizedEntry } from './localization/localizations.ts';
import { changeEntry, removeEntry } from './change-entry.ts';
import type { TypeContext } from './context.ts';
import { createEntry } from './create-entry.ts';
import { updateChecking, withBeforeHook } from './before-hook.ts';
import { requirePreconditions } from './preconditions.ts';
import { willBeDraft } from './entry-input.ts';
import { runBeforeDelete, transformEntry, transformList, withoutTagsIfTransformed } from './hooks.ts';
import { entryAnswer } from '../query/answer.ts';
import { createDocument, deleteRowsOf, updateDocument } from './documents/document-service.ts';
import { isDocumentRequest } from '../query/entry-request.ts';
import { isEntryId } from '../query/entry-id.ts';
import type { CollectionService } from './service.ts';
import { assumedEntry, getEntry } from './stored-entry.ts';
import { requireVisible } from './visible-entry.ts';
import { requireShortLists } from './list-lengths.ts';

function requireEntryId(id: number): void {
  if (!isEntryId(id)) throw new NotFoundError();
}

export function collectionService(context: TypeContext): CollectionService {
  const { database, reader, type, hooks } = context;
  return {
    async find(request) {
      return transformList(hooks, await reader.list(type, request), request);
    },
    async findOne(key, request) {
      const answer = await reader.one(type, withoutTagsIfTransformed(hooks, request), key);
      if (answer === undefined) throw new NotFoundError();
      return transformEntry(hooks, answer, request);
    },
    async create(given, request) {
      requireShortLists(context, given, request.caller);
      if (isDocumentRequest(request)) return createDocument(context, given, request);
      const checked = await reader.check(type, request);
      const draft = willBeDraft(type, given, false);
      const write = await withBeforeHook(
        context,
        { data: given, checked, ...request },
        { operation: 'create', draft, othersPublished: false },
      );
      return transformEntry(hooks, entryAnswer(await createEntry(context, write)), request);
    },
    async update(id, given, request) {
      requireShortLists(context, given, request.caller);
      if (typeof id !== 'number') return updateDocument(context, id.documentId, given, request);
      const checked = await reader.check(type, request);
      requireEntryId(id);
      await requireVisible(context, id, request);
      const assumed = hooks?.beforeUpdate || request.expected?.noneMatch ? undefined : assumedEntry(type, id);
      const stored = assumed ?? (await getEntry(database, type, id));
      if (stored.version !== undefined) requirePreconditions({ ...stored, version: stored.version }, request, type);
      const sent = { data: given, checked, ...request };
      const write = await withBeforeHook(context, sent, updateChecking(type, stored, given));
      return transformEntry(hooks, entryAnswer(await changeEntry(context, stored, write)), request);
    },
    async delete(id, request) {
      if (typeof id !== 'number') return deleteRowsOf(context, sql`t.document_id = ${id.documentId}`, request);
      const checked = await reader.check(type, request);
      requireEntryId(id);
      const stored = await getEntry(database, type, id);
      await requireVisible(context, id, request);
      requirePreconditions(stored, request, type);
      await runBeforeDelete(hooks, id, request);
      return transformEntry(hooks, entryAnswer(await removeEntry(context, id, { ...request, checked })), request);
    },
    async createLocalization(id, body, request) {
      requireShortLists(context, body, request.caller);
      // In the v5 format an update adds a locale.
      if (typeof id !== 'number') throw new NotFoundError();
      requireEntryId(id);
      const stored = await localizedEntry(context, request.caller, sql`t.id = ${id}`);
      await requireVisible(context, id, request);
      const answer = entryAnswer(await addLocale(context, stored, { ...request, data: body }));
      return flatAnswer(await transformEntry(hooks, answer, request));
    },
  };
}
