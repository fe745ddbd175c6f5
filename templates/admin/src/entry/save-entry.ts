/** Saves what has changed in a form. */
import { useQueryClient } from '@tanstack/react-query';
import { resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { entryBody } from '../rest/entry-body.ts';
import type { FormValues } from '../rest/form-values.ts';
import { forgetRows, useEntryAtPlace } from '../rest/relation-rows.ts';
import { ask, send } from '../rest/request.ts';
import type { RestEntry } from '../rest/rest-entry.ts';
import { type EntryTarget, isNew, localeQuery, pathOf } from './entry-target.ts';
import { type EntryAnswer, entryKey, type LoadedEntry, useCompleteEntry, useEntryQueries } from './load-entry.ts';

/** What a save does beside saving. */
export type Publication = 'publish' | 'unpublish' | 'as-it-is';

export interface Save {
  readonly values: FormValues;
  readonly publication: Publication;
  /** The version by somebody else that was seen, and may be overwritten. */
  readonly over?: string | undefined;
}

function publishedAt(target: EntryTarget, publication: Publication, isThere: boolean): Record<string, unknown> {
  if (!target.type.draftAndPublish) return {};
  if (publication === 'publish') return { publishedAt: new Date().toISOString() };
  // Without a word, what is new would be published.
  return publication === 'unpublish' || !isThere ? { publishedAt: null } : {};
}

/** The id of an entry that was made. Throws HttpError. */
async function create(target: EntryTarget, data: Record<string, unknown>): Promise<number> {
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

/** Answers the entry's id. Throws HttpError; 412 where somebody else has saved since. */
export function useSaveEntry(target: EntryTarget, before: LoadedEntry | undefined): (save: Save) => Promise<number> {
  const index = useModel();
  const client = useQueryClient();
  const queries = useEntryQueries();
  const complete = useCompleteEntry();
  const entryAt = useEntryAtPlace();
  return async ({ values, publication, over }) => {
    const { type } = target;
    const changed = await entryBody(type.attributes, values, before?.values, index, entryAt);
    const data = { ...changed, ...publishedAt(target, publication, before !== undefined) };
    // Lists are read again when they are next on the screen.
    client.removeQueries({ queryKey: [resourceOf(type), 'getList'] });
    if (isNew(target)) return await create(target, data);
    const answer: EntryAnswer = await send({
      method: 'PUT',
      path: pathOf(target),
      query: { ...queries(target).shown, ...localeQuery(target) },
      body: type.uid === 'user' ? data : { data },
      ifMatch: over ?? before?.etag,
      // Of a single type that has no entry yet: two people may make it at once.
      isNew: before === undefined && over === undefined,
    });
    forgetRows(client, resourceOf(type), target.id);
    const saved = await complete(answer, target);
    client.setQueryData(entryKey(target), saved);
    return saved.id;
  };
}
