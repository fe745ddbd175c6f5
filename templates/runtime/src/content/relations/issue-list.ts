/** Collects the issues of one attribute. */
import { addIssue, type ErrorPath, type Issue } from '../../contract/errors.ts';

/** The issues found so far. */
export interface IssueList {
  readonly all: readonly Issue[];
  /** Adds an issue. `predicate` is a sentence without its subject: `must be an array`. */
  add(path: ErrorPath, predicate: string): void;
}

/** An empty list of issues. */
export function createIssueList(): IssueList {
  const all: Issue[] = [];
  return {
    all,
    add(path, predicate) {
      addIssue(all, path, () => `${path.join('.')} ${predicate}`);
    },
  };
}
