/** The columns of a list: the schema's defaults, or the user's selection. */
import { useStore } from 'react-admin';
import type { ListView } from '../../../runtime/src/contract/panel-view.ts';
import type { ContentType } from '../model/model.ts';
import { canBeColumn } from '../rest/list-query.ts';
import { useListView } from './use-list-view.ts';

/** System fields of every entry. */
const OWN = ['id', 'createdAt', 'updatedAt'];

/** All columns that a list of the type can show. */
export function possibleColumns({ attributes, draftAndPublish }: ContentType): readonly string[] {
  const named = Object.entries(attributes).filter(([, attribute]) => canBeColumn(attribute));
  return [...named.map(([name]) => name), ...OWN, ...(draftAndPublish ? ['publishedAt'] : [])];
}

/** Where the chosen columns are kept: a view with columns of its own has its own choice. */
export function columnsKey({ uid }: ContentType, view: ListView | undefined): string {
  return view?.columns ? `columns.${uid}.${view.name}` : `columns.${uid}`;
}

export function useColumns(type: ContentType): [readonly string[], (columns: readonly string[] | undefined) => void] {
  const view = useListView(type);
  const [chosen, setChosen] = useStore<readonly string[] | undefined>(columnsKey(type, view));
  const possible = possibleColumns(type);
  // The schema may no longer have a selected attribute.
  const columns = (chosen ?? view?.columns ?? type.columns).filter((name) => possible.includes(name));
  return [columns, setChosen];
}

/** Whether the rows of all lists are as low as possible. */
export function useCompactRows(): [boolean, (isCompact: boolean) => void] {
  return useStore<boolean>('compact-rows', false);
}
