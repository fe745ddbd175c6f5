import { useGetRecordId, useResourceContext } from 'react-admin';
import { useModel } from '../model/model-context.tsx';
import { EntryProblem } from './entry-problem.tsx';
import { EntryScreen } from './entry-screen.tsx';
import type { EntryTarget } from './entry-target.ts';
import { useEntry } from './load-entry.ts';

function ExistingEntry({ target }: { readonly target: EntryTarget }) {
  const { data, error, refetch } = useEntry(target);
  if (!data) return <EntryProblem error={error} onRetry={refetch} />;
  return (
    <EntryScreen
      target={target}
      entry={data}
      onReload={async () => (await refetch({ throwOnError: true })).data ?? undefined}
    />
  );
}

/** The screen of an entry: `/articles/7`. */
export function EntryEditPage() {
  const type = useModel().of(useResourceContext() ?? '');
  const id = Number(useGetRecordId());
  return type ? <ExistingEntry key={`${type.uid}-${id}`} target={{ type, id }} /> : null;
}
