import { useRedirect, useResourceContext } from 'react-admin';
import { useSearchParams } from 'react-router';
import { useContentLocale } from '../list/content-locale.tsx';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { EntryProblem } from './entry-problem.tsx';
import { EntryScreen } from './entry-screen.tsx';
import type { EntryTarget } from './entry-target.ts';
import { useEntry } from './load-entry.ts';

function NewEntry({ target }: { readonly target: EntryTarget }) {
  const redirect = useRedirect();
  const { type, otherLocaleOf } = target;
  const source = useEntry({ type, id: otherLocaleOf }, otherLocaleOf !== undefined);
  if (otherLocaleOf !== undefined && !source.data) {
    return <EntryProblem error={source.error} onRetry={source.refetch} />;
  }
  return (
    <EntryScreen
      target={target}
      entry={undefined}
      source={source.data}
      onCreated={(id) => redirect('edit', resourceOf(type), id)}
    />
  );
}

function targetOf(type: ContentType, parameters: URLSearchParams, locale: string | undefined): EntryTarget {
  const from = parameters.get('from');
  return {
    type,
    locale: type.localized ? (parameters.get('locale') ?? locale) : undefined,
    otherLocaleOf: from === null ? undefined : Number(from),
  };
}

/** The page for a new entry, or for a new locale of an entry: `/articles/create?locale=fr&from=7`. */
export function EntryCreatePage() {
  const type = useModel().of(useResourceContext() ?? '');
  const [parameters] = useSearchParams();
  const [locale] = useContentLocale();
  return type ? <NewEntry key={parameters.toString()} target={targetOf(type, parameters, locale)} /> : null;
}
