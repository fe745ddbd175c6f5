/** Which columns a list has: those of the schema, until somebody chooses others. */
import { useStore } from 'react-admin';
import type { ContentType } from '../model/model.ts';
import { canBeColumn } from '../rest/list-query.ts';

/** What every entry has beside its attributes. */
const OWN = ['id', 'createdAt', 'updatedAt'];

/** All that a list of the type can show. */
export function possibleColumns({ attributes, draftAndPublish }: ContentType): readonly string[] {
  const named = Object.entries(attributes).filter(([, attribute]) => canBeColumn(attribute));
  return [...named.map(([name]) => name), ...OWN, ...(draftAndPublish ? ['publishedAt'] : [])];
}

export function useColumns(type: ContentType): [readonly string[], (columns: readonly string[] | undefined) => void] {
  const [chosen, setChosen] = useStore<readonly string[] | undefined>(`columns.${type.uid}`);
  const possible = possibleColumns(type);
  // What was chosen may be gone from the schema.
  const columns = (chosen ?? type.columns).filter((name) => possible.includes(name));
  return [columns, setChosen];
}
