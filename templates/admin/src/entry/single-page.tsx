import { useResourceContext } from 'react-admin';
import { useSearchParams } from 'react-router';
import { useSession } from '../app/session.ts';
import { useModel } from '../model/model-context.tsx';
import { EntryProblem } from './entry-problem.tsx';
import { EntryScreen } from './entry-screen.tsx';
import type { EntryTarget } from './entry-target.ts';
import { useEntry } from './load-entry.ts';

function SingleEntry({ target }: { readonly target: EntryTarget }) {
  const { data, error, refetch } = useEntry(target);
  if (data === undefined) return <EntryProblem error={error} onRetry={refetch} />;
  return (
    <EntryScreen
      target={target}
      entry={data ?? undefined}
      onReload={async () => (await refetch({ throwOnError: true })).data ?? undefined}
    />
  );
}

/** The page of a single type: `/homepage?locale=fr`. */
export function SinglePage() {
  const type = useModel().of(useResourceContext() ?? '');
  const [parameters] = useSearchParams();
  const { locales } = useSession();
  const locale = type?.localized === true ? (parameters.get('locale') ?? locales[0]) : undefined;
  return type ? <SingleEntry key={`${type.uid}-${locale}`} target={{ type, locale }} /> : null;
}
