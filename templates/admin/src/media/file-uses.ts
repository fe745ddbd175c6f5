/** The entries that use a file, with their titles. */
import { useQuery } from '@tanstack/react-query';
import { may, type Session, useSession } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { EntryRef } from '../relations/entry-ref.ts';
import { draftsQuery } from '../rest/entry-query.ts';
import { ask } from '../rest/request.ts';
import { refFields, refOf, type RestEntry } from '../rest/rest-entry.ts';
import { MEDIA_KEY } from './media-search.ts';

interface FileUse {
  readonly type: string;
  readonly id: number;
}

interface UsesOfType {
  readonly type: ContentType;
  readonly entries: readonly EntryRef[];
}

async function readTitles(type: ContentType, ids: readonly number[], session: Session): Promise<readonly EntryRef[]> {
  if (type.kind === 'single') return ids.map((id) => ({ id, title: type.displayName }));
  const answer = await ask<{ readonly data: readonly RestEntry[] } | readonly RestEntry[]>({
    path: resourceOf(type),
    query: {
      fields: refFields(type),
      filters: { id: { $in: [...ids] } },
      sort: type.mainField,
      pagination: { pageSize: ids.length, withCount: false },
      ...draftsQuery(type, may(session, type.uid, 'preview')),
      ...(type.localized && { locale: 'all' }),
    },
  });
  return ('data' in answer ? answer.data : answer).map((entry) => refOf(entry, type));
}

export function useFileUses(file: number) {
  const index = useModel();
  const session = useSession();
  return useQuery({
    queryKey: [MEDIA_KEY, 'uses', file],
    queryFn: async () => {
      const uses = await ask<readonly FileUse[]>({ path: `upload/files/${file}/uses` });
      const types = [...new Set(uses.map(({ type }) => type))].flatMap((uid) => index.type(uid) ?? []);
      return await Promise.all(
        types.map(async (type): Promise<UsesOfType> => {
          const ids = uses.filter((use) => use.type === type.uid).map(({ id }) => id);
          return { type, entries: await readTitles(type, ids, session) };
        }),
      );
    },
    enabled: may(session, 'upload', 'findOne'),
    retry: false,
  });
}
