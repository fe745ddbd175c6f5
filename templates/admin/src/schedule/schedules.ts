/** When entries are published and taken back: `/api/articles/7/schedule`, and `/api/_schedules`. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { type EntryTarget, localeQuery, pathOf } from '../entry/entry-target.ts';
import type { LoadedEntry } from '../entry/load-entry.ts';
import type { ContentType } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { ask } from '../rest/request.ts';

export interface Refusal {
  readonly action: 'publish' | 'unpublish';
  readonly at: string;
  readonly message: string;
  readonly errors?: readonly { readonly path: readonly string[]; readonly message: string }[];
}

export interface Times {
  /** In ISO 8601. Null: never. */
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
}

export interface Schedule extends Times {
  /** What was due and could not be done. */
  readonly refusals: readonly Refusal[];
}

export interface ListedSchedule extends Schedule {
  readonly type: string;
  readonly id: number;
  readonly locale?: string;
}

const KEY = 'schedules';
/** How often they are read again while they are shown, in milliseconds: they are done without the panel. */
const INTERVAL = 30_000;

/** Whether the role sets when entries of a type are published. */
export function useMaySchedule(type: ContentType): boolean {
  return useMay()(type.uid, 'update') && type.schedules === true;
}

/** Whether it does so for any type. */
export function useMayScheduleSome(): boolean {
  const { model } = useModel();
  const may = useMay();
  return model.types.some(({ uid, schedules }) => schedules === true && may(uid, 'update'));
}

/** The schedules of all types: what was refused, and then the next ones. */
export function useAllSchedules(enabled: boolean) {
  return useQuery({
    queryKey: [KEY, 'all'],
    queryFn: async () =>
      (await ask<{ readonly data: ListedSchedule[] }>({ path: '_schedules', isUnlisted: true })).data,
    enabled,
    refetchInterval: INTERVAL,
    retry: false,
  });
}

/** The schedules of a type, by the ids of its entries. */
export function useSchedules(type: ContentType): ReadonlyMap<number, Schedule> {
  const { data = [] } = useAllSchedules(useMaySchedule(type));
  return new Map(data.filter(({ type: uid }) => uid === type.uid).map((one) => [one.id, one]));
}

export function useSchedule(target: EntryTarget, entry: LoadedEntry) {
  return useQuery({
    queryKey: [KEY, target.type.uid, entry.id, entry.etag],
    queryFn: async () =>
      (await ask<{ readonly data: Schedule }>({ path: `${pathOf(target)}/schedule`, query: localeQuery(target) })).data,
    enabled: useMaySchedule(target.type),
    refetchInterval: INTERVAL,
    retry: false,
  });
}

/** Returns a function that sets the times. It throws HttpError with the server's message, and LostResponseError. */
export function useSetSchedule(target: EntryTarget): (times: Partial<Times>) => Promise<void> {
  const client = useQueryClient();
  return async (body) => {
    try {
      await ask({ method: 'PUT', path: `${pathOf(target)}/schedule`, query: localeQuery(target), body });
    } finally {
      await client.invalidateQueries({ queryKey: [KEY] });
    }
  };
}
