/** The entries of a collection type. */
import { NotFoundError } from '../contract/errors.ts';
import { sql } from '../database/sql.ts';
import { entryAnswer, type EntryAnswer, NO_ENTRY } from '../query/answer.ts';
import { isEntryId } from '../query/entry-id.ts';
import { type EntryRequest, isDocumentRequest } from '../query/entry-request.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import type { CheckedQuery } from '../query/checked-query.ts';
import { newLocale, queryLocale } from '../query/requested-locale.ts';
import { removeEntries } from './change-entry.ts';
import { collectionReads } from './collection-reads.ts';
import type { TypeContext } from './context.ts';
import { createEach, createMany } from './create-many.ts';
import { documentBody, removeDocument, updatedDocument } from './documents/document-doors.ts';
import { asDraft, refuseDraftDelete } from './documents/document-state.ts';
import { removeThrough } from './door.ts';
import { sentValues } from './entry-input.ts';
import { transformEntry } from './hooks.ts';
import { collectionHistory } from './history/load-history.ts';
import { flatAnswer, newLocalization } from './localization/localizations.ts';
import { actOnEntry } from './publication-actions.ts';
import { type EntryDoor, existing, type SaveBody, saveEntry, type SaveTarget } from './save-entry.ts';
import type { CollectionService } from './service.ts';
import { assumedEntry, findEntries, getEntry } from './stored-entry.ts';

function requireEntryId(id: number): void {
  if (!isEntryId(id)) throw new NotFoundError();
}

/** A new entry, in the locale named by its data or else by the query. */
function newEntry({ types, type }: TypeContext, { data, checked }: SaveBody): SaveTarget {
  if (!type.localized) return { kind: 'new', row: undefined, documentLocale: {}, issues: [] };
  const { locale, issues } = newLocale(types, sentValues(data)['locale'], queryLocale(types, type, checked));
  return { kind: 'new', row: undefined, documentLocale: { locale }, issues };
}

/** Reads the row only if its state matters before it is written; in a transaction also because a failed write would end that. */
async function rowWithId(context: TypeContext, id: number, { expected }: EntryRequest, again: boolean) {
  const { database, type, hooks, isTransaction } = context;
  const needsState = again || isTransaction || hooks?.beforeUpdate !== undefined || expected?.noneMatch !== undefined;
  const assumed = needsState ? undefined : assumedEntry(type, id);
  return existing(assumed ?? (await getEntry(database, type, id)));
}

export function collectionService(context: TypeContext): CollectionService {
  const { database, reader, type, hooks } = context;

  async function save<Body extends SaveBody>(request: EntryRequest, door: EntryDoor<Body>): Promise<EntryAnswer> {
    const { entry } = await saveEntry(context, request, door);
    return transformEntry(hooks, entryAnswer(entry), request);
  }
  const plainBody = async (data: unknown, check: () => Promise<CheckedQuery>): Promise<SaveBody> => {
    const checked = await check();
    return { checked, data: asDraft(data, checked) };
  };

  const creation = (
    given: unknown,
    request: EntryRequest,
    check: () => Promise<CheckedQuery> = () => reader.check(type, request),
  ): EntryDoor<SaveBody> => ({
    given,
    action: 'create',
    read: async () =>
      isDocumentRequest(request) ? documentBody(context, given, request, check) : plainBody(given, check),
    resolve: async (body) => newEntry(context, body),
  });

  return {
    ...collectionReads(context),
    history: collectionHistory(context),
    create: (given, request) => save(request, creation(given, request)),
    createMany(all, request) {
      let checked: Promise<CheckedQuery> | undefined;
      const check = () => (checked ??= reader.check(type, request));
      const doors = all.map((given) => creation(given, request, check));
      return createMany(context, doors, request);
    },
    ...(!hooks && {
      async createEach(all, request) {
        const doors = all.map((given) => creation(given, request));
        return (await createEach(context, doors, request)).map((entry) => entryAnswer(entry));
      },
    }),
    async update(key, given, request) {
      if (typeof key !== 'number') return save(request, updatedDocument(context, key.documentId, given, request));
      return save(request, {
        given,
        action: 'update',
        async read() {
          const body = await plainBody(given, () => reader.check(type, request));
          requireEntryId(key);
          return body;
        },
        resolve: (_, again) => rowWithId(context, key, request, again),
      });
    },
    async delete(key, request) {
      if (typeof key !== 'number') {
        return removeDocument(context, sql`t.document_id = ${key.documentId}`, request);
      }
      const [removed] = await removeThrough<CheckedQuery, ReadEntry>(context, request, {
        async read() {
          const checked = await reader.check(type, request);
          refuseDraftDelete(checked);
          requireEntryId(key);
          return checked;
        },
        find: () => findEntries(database, type, sql`t.id = ${key}`),
        isSilent: false,
        remove: (ids, checked) => removeEntries(context, ids, { ...request, checked }),
      });
      return removed ? transformEntry(hooks, entryAnswer(removed), request) : NO_ENTRY;
    },
    async act(key, action, request) {
      const isRow = typeof key === 'number';
      if (isRow) requireEntryId(key);
      const condition = isRow ? sql`t.id = ${key}` : sql`t.document_id = ${key.documentId}`;
      const entry = await actOnEntry(context, action, { condition, ofRow: isRow }, request);
      return transformEntry(hooks, entryAnswer(entry), request);
    },
    async createLocalization(key, body, request) {
      // In the v5 format an update adds a locale.
      if (typeof key !== 'number') throw new NotFoundError();
      requireEntryId(key);
      return flatAnswer(await save(request, newLocalization(context, sql`t.id = ${key}`, body, request)));
    },
  };
}
