import { Loading } from 'react-admin';
import { ReadProblem } from '../app/read-problem.tsx';

interface Props {
  readonly error: Error | null;
  readonly onRetry: () => unknown;
}

/** Loading indicator, or the error if reading has failed. */
export function EntryProblem({ error, onRetry }: Props) {
  return error ? <ReadProblem error={error} onRetry={() => void onRetry()} /> : <Loading />;
}
