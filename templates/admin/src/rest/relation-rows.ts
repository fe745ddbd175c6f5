/** Reads pages of a relation's list, in order. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { may, useSession } from '../app/session.ts';
import { useModel } from '../model/model-context.tsx';
import type { EntryRef } from '../relations/entry-ref.ts';
import type { ComponentStep, RelationPlace } from '../relations/relation-place.ts';
import type { EntryAtPlace } from './entry-body.ts';
import { draftsQuery, PAGE } from './entry-query.ts';
import type { QueryObject } from './query-string.ts';
import { ask } from './request.ts';
import { flat, populatedMany, refFields, refOf, type RestEntry } from './rest-entry.ts';

export function rowsKey(place: RelationPlace, page?: number): readonly unknown[] {
  const { endpoint, id, steps, attribute } = place;
  return ['relation-rows', endpoint, id, ...(page === undefined ? [] : [steps, attribute, page])];
}

/** `populate` for a relation, through the components that contain it. */
function populateAt(steps: readonly ComponentStep[], attribute: string, window: QueryObject): QueryObject {
  const [step, ...rest] = steps;
  if (!step) return { [attribute]: window };
  const inner = { fields: ['id'], populate: populateAt(rest, attribute, window) };
  return { [step.attribute]: step.zoneComponent === undefined ? inner : { on: { [step.zoneComponent]: inner } } };
}

function itemsOf(value: unknown): readonly Record<string, unknown>[] {
  return [value].flat().filter((item) => typeof item === 'object' && item !== null) as Record<string, unknown>[];
}

function listAt(values: Readonly<Record<string, unknown>>, { steps, attribute }: RelationPlace): unknown {
  let at: Readonly<Record<string, unknown>> | undefined = values;
  for (const { attribute: name, item, zoneComponent } of steps) {
    at = itemsOf(at?.[name]).find(
      (other) => other['id'] === item && (zoneComponent === undefined || other['__component'] === zoneComponent),
    );
  }
  return at?.[attribute];
}

/** Returns a function that finds the target type of a relation. */
function useTargetAt() {
  const index = useModel();
  return ({ endpoint, steps, attribute }: RelationPlace) => {
    let attributes = index.of(endpoint)?.attributes;
    for (const { attribute: name, zoneComponent } of steps) {
      const step = attributes?.[name];
      const uid = zoneComponent ?? (step?.type === 'component' ? step.component : undefined);
      attributes = uid === undefined ? undefined : index.component(uid).attributes;
    }
    const relation = attributes?.[attribute];
    return relation?.type === 'relation' ? index.type(relation.target) : undefined;
  };
}

type RowsReader = (place: RelationPlace, window: QueryObject) => Promise<readonly EntryRef[]>;

/** Returns a function that reads part of a list: a range, or the entries matching a filter. */
export function useReadRows(): RowsReader {
  const index = useModel();
  const session = useSession();
  const targetAt = useTargetAt();
  return async (place, window) => {
    const type = index.of(place.endpoint);
    const target = targetAt(place);
    if (!type || !target) return [];
    const path = place.id === undefined ? place.endpoint : `${place.endpoint}/${place.id}`;
    const query: QueryObject = {
      fields: ['id'],
      populate: populateAt(place.steps, place.attribute, { fields: refFields(target), ...window }),
      ...draftsQuery(type, may(session, type.uid, 'preview')),
      ...(place.id === undefined && place.locale !== undefined && { locale: place.locale }),
    };
    const answer = await ask<{ readonly data: RestEntry } | RestEntry>({ path, query });
    const entry = 'data' in answer ? answer.data : answer;
    return populatedMany(listAt(flat(entry), place)).map((row) => refOf(row, target));
  };
}

/** The cached query for one page. */
export function rowsQuery(read: RowsReader, place: RelationPlace, page: number) {
  return {
    queryKey: rowsKey(place, page),
    queryFn: () => read(place, { start: page * PAGE, limit: PAGE }),
    staleTime: Infinity,
  };
}

/** Returns a function that gets the entry at an index of a list, from the cache or the server. */
export function useEntryAtPlace(): EntryAtPlace {
  const client = useQueryClient();
  const read = useReadRows();
  return async (place, at) => (await client.fetchQuery(rowsQuery(read, place, Math.floor(at / PAGE))))[at % PAGE];
}

/** Removes the cached list pages of an entry after a save. */
export function forgetRows(client: QueryClient, endpoint: string, id: number | string | undefined): void {
  client.removeQueries({ queryKey: ['relation-rows', endpoint, id] });
}
