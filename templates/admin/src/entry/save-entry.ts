/** Saves the changed values of a form. */
import { useQueryClient } from '@tanstack/react-query';
import { resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { entryBody } from '../rest/entry-body.ts';
import type { FormValues } from '../rest/form-values.ts';
import { useEntryAtPlace } from '../rest/relation-rows.ts';
import { ask, LostResponseError, send, serverTime } from '../rest/request.ts';
import type { RestEntry } from '../rest/rest-entry.ts';
import { useHasDraft } from './entry-draft.ts';
import { type EntryTarget, isNew, localeQuery, pathOf } from './entry-target.ts';
import { type EntryAnswer, type LoadedEntry, useCompleteEntry, useEntryQueries } from './load-entry.ts';

/** How a save changes the publication state. `as-it-is` saves the draft alone, in types that have drafts. */
export type Publication = 'publish' | 'unpublish' | 'as-it-is';

export interface Save {
  readonly values: FormValues;
  readonly publication: Publication;
  /** ETag of someone else's version that the user has chosen to overwrite. */
  readonly over?: string | undefined;
}

export interface Saved {
  readonly id: number;
  /** The stored version; absent for a new entry, whose own screen reads it. */
  readonly entry?: LoadedEntry;
}

/** A save as it is sent. */
export interface Attempt extends Pick<Save, 'values' | 'publication'> {
  /** The body of the request. */
  readonly data: Readonly<Record<string, unknown>>;
  /** ETag of the version that the save replaces; undefined for a new entry. */
  readonly base?: string | undefined;
  /** The server's time when it was sent, in milliseconds since 1970; undefined if unknown. */
  readonly since?: number | undefined;
}

function publishedAt(target: EntryTarget, publication: Publication, isThere: boolean): Record<string, unknown> {
  if (!target.type.draftAndPublish) return {};
  if (publication === 'publish') return { publishedAt: new Date().toISOString() };
  // New entries are published by default.
  return publication === 'unpublish' || !isThere ? { publishedAt: null } : {};
}

/** Creates an entry and returns its id. Throws HttpError and LostResponseError. */
async function create(target: EntryTarget, data: Attempt['data']): Promise<number> {
  const { type, locale, otherLocaleOf } = target;
  const localized = { ...data, ...(type.localized && locale !== undefined && { locale }) };
  const path = otherLocaleOf === undefined ? resourceOf(type) : `${resourceOf(type)}/${otherLocaleOf}/localizations`;
  const hasNoEnvelope = otherLocaleOf !== undefined || type.uid === 'user';
  const answer = await ask<{ readonly data: RestEntry } | RestEntry>({
    method: 'POST',
    path,
    body: hasNoEnvelope ? localized : { data: localized },
  });
  return 'data' in answer ? answer.data.id : answer.id;
}

/** Returns functions that save in two steps. */
export function useSaveEntry(target: EntryTarget, before: LoadedEntry | undefined) {
  const hasDraft = useHasDraft(target.type);
  const index = useModel();
  const client = useQueryClient();
  const queries = useEntryQueries();
  const complete = useCompleteEntry();
  const entryAt = useEntryAtPlace();
  const { type } = target;
  return {
    /** Throws HttpError if parts of relation lists can't be read. */
    async prepare({ values, publication, over }: Save): Promise<Attempt> {
      const changed = await entryBody(type.attributes, values, before?.values, index, entryAt);
      const data = { ...changed, ...publishedAt(target, publication, before !== undefined) };
      return { values, publication, data, base: over ?? before?.etag, since: serverTime() };
    },
    /** Throws HttpError: 412 if someone else has saved since. Throws LostResponseError if the outcome is unknown. */
    async send({ data, base, publication }: Attempt): Promise<Saved> {
      // Lists are refetched when they are next shown.
      client.removeQueries({ queryKey: [resourceOf(type), 'getList'] });
      if (isNew(target)) return { id: await create(target, data) };
      const answer: EntryAnswer = await send({
        method: 'PUT',
        path: pathOf(target),
        query: {
          ...queries(target).shown,
          ...localeQuery(target),
          ...(hasDraft && before && publication === 'as-it-is' && { status: 'draft' }),
        },
        body: type.uid === 'user' ? data : { data },
        ifMatch: base,
        // First save of a single type: two users may create its entry at the same time.
        isNew: before === undefined && base === undefined,
      });
      try {
        const entry = await complete(answer, target);
        return { id: entry.id, entry };
      } catch (error) {
        throw new LostResponseError(error);
      }
    },
  };
}
