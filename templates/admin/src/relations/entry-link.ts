import { type RelationAttribute, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { EntryRef } from './entry-ref.ts';

/** Returns the path of a related entry's page; undefined if it has none. */
export function useEntryLink({ target }: RelationAttribute): (entry: EntryRef | null) => string | undefined {
  const index = useModel();
  return (entry) => {
    const type = index.type(entry?.type ?? target);
    if (!entry || !type) return undefined;
    return type.kind === 'single' ? `/${resourceOf(type)}` : `/${resourceOf(type)}/${entry.id}`;
  };
}
