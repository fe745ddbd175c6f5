import { type Identifier, type RaRecord, useListContext } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { nameOfPath } from '../entry/error-paths.ts';
import type { ContentType } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { titleOf } from '../rest/rest-entry.ts';

/** An entry, and why it was refused. */
export type Failure = readonly [Identifier, unknown];

/** How many entries a message names. */
const MAX_NAMED = 5;

/** Returns a function for the lines that name entries, by their titles if they are on the page, and what is wrong with each. */
export function useFailureText(type: ContentType): (failures: readonly Failure[]) => readonly string[] {
  const { data } = useListContext<RaRecord & { id: number }>();
  const problemText = useProblemText();
  const index = useModel();

  function lineOf([id, error]: Failure): string {
    const record = data?.find((one) => one.id === id);
    const nameOf = (path: readonly string[]): string => nameOfPath(path, type.attributes, record ?? {}, index);
    return `“${record ? titleOf(record, type.mainField) : `#${id}`}”: ${problemText(error, nameOf)}`;
  }
  return (failures) => {
    const named = failures.slice(0, MAX_NAMED).map(lineOf);
    return failures.length > named.length ? [...named, `… (${failures.length})`] : named;
  };
}
