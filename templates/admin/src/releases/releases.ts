/** Releases, which publish entries together: `/api/releases`. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { draftsQuery } from '../rest/entry-query.ts';
import { ask } from '../rest/request.ts';
import { refFields, type RestEntry, titleOf } from '../rest/rest-entry.ts';
import type { Refusal } from '../schedule/schedules.ts';

export type ReleaseAction = 'publish' | 'unpublish';

export interface ReleaseItem {
  readonly type: string;
  readonly id: number;
  readonly locale?: string;
  readonly action: ReleaseAction;
}

export interface ItemRefusal extends Pick<Refusal, 'message' | 'errors'> {
  /** The index of the item; -1 for the whole release. */
  readonly item: number;
}

export interface Release {
  readonly id: number;
  readonly name: string;
  readonly state: 'open' | 'planned' | 'published' | 'reverted';
  /** In ISO 8601. */
  readonly at: string | null;
  readonly items: readonly ReleaseItem[];
  /** How many items the role may not see. */
  readonly hidden: number;
  readonly version: number;
  readonly publishedAt: string | null;
  readonly refusals: readonly ItemRefusal[];
}

export type ReleaseInput = Partial<Pick<Release, 'name' | 'items' | 'at' | 'version'>>;

const KEY = 'releases';
/** How often they are read again while they are shown, in milliseconds: planned ones are published without the panel. */
const INTERVAL = 30_000;
const PATH = 'releases';

/** Whether the server has releases that the role may find. */
export function useHasReleases(): boolean {
  const { model } = useModel();
  return useMay()('releases', 'find') && model.types.some(({ schedules }) => schedules);
}

export function isOpen({ state }: Release): boolean {
  return state === 'open' || state === 'planned';
}

export function useReleases(enabled = true) {
  return useQuery({
    queryKey: [KEY],
    queryFn: async () => (await ask<{ readonly data: Release[] }>({ path: PATH })).data,
    refetchInterval: INTERVAL,
    enabled,
    retry: false,
  });
}

export function useRelease(id: number) {
  return useQuery({
    queryKey: [KEY, id],
    queryFn: async () => (await ask<{ readonly data: Release }>({ path: `${PATH}/${id}` })).data,
    refetchInterval: INTERVAL,
    retry: false,
  });
}

async function readTitles(
  type: ContentType,
  ids: readonly number[],
  hasDrafts: boolean,
): Promise<readonly (readonly [string, string])[]> {
  if (type.kind === 'single') return ids.map((id) => [`${type.uid} ${id}`, type.displayName] as const);
  const { data } = await ask<{ readonly data: RestEntry[] }>({
    path: resourceOf(type),
    query: {
      fields: refFields(type),
      filters: { id: { $in: ids } },
      ...draftsQuery(type, hasDrafts),
      ...(type.localized && { locale: 'all' }),
      pagination: { pageSize: ids.length, withCount: false },
    },
    isUnlisted: true,
  });
  return data.map((entry) => [`${type.uid} ${entry.id}`, titleOf(entry, type.mainField)] as const);
}

/** The titles of the entries of a release, by type and id. */
export function useTitles(items: readonly ReleaseItem[]): (item: ReleaseItem) => string {
  const index = useModel();
  const may = useMay();
  const { data: titles } = useQuery({
    queryKey: [KEY, 'titles', items.map(({ type, id }) => `${type} ${id}`).toSorted()],
    queryFn: async () => {
      const types = [...new Set(items.map(({ type }) => type))].flatMap((uid) => index.type(uid) ?? []);
      const all = types.map((type) =>
        readTitles(
          type,
          items.filter((item) => item.type === type.uid).map(({ id }) => id),
          may(type.uid, 'preview'),
        ),
      );
      return new Map((await Promise.all(all)).flat());
    },
    enabled: items.length > 0,
    retry: false,
  });
  return ({ type, id }) => titles?.get(`${type} ${id}`) ?? `#${id}`;
}

/** The functions throw HttpError with the server's message, and LostResponseError. In each case, releases are read again. */
export function useChangeReleases() {
  const client = useQueryClient();
  const changed = async <T>(change: Promise<T>): Promise<T> => {
    try {
      return await change;
    } finally {
      await client.invalidateQueries({ queryKey: [KEY] });
    }
  };
  const act = (id: number, action: string) => changed(ask({ method: 'POST', path: `${PATH}/${id}/actions/${action}` }));
  return {
    create: async (body: ReleaseInput) =>
      (await changed(ask<{ readonly data: Release }>({ method: 'POST', path: PATH, body }))).data,
    update: (id: number, body: ReleaseInput) => changed(ask({ method: 'PUT', path: `${PATH}/${id}`, body })),
    remove: (id: number) => changed(ask({ method: 'DELETE', path: `${PATH}/${id}` })),
    check: async (id: number) =>
      (
        await ask<{ readonly data: { readonly refusals: ItemRefusal[] } }>({
          method: 'POST',
          path: `${PATH}/${id}/actions/check`,
        })
      ).data.refusals,
    publish: (id: number) => act(id, 'publish'),
    revert: (id: number) => act(id, 'revert'),
  };
}
