/** Collects the issues of one attribute. */
import type { ErrorPath, Issue } from '../errors.ts';

/** More failing paths than anyone reads would let a small body make a huge answer. */
const MAX_ISSUES = 500;

export interface IssueList {
  readonly all: readonly Issue[];
  /** `predicate` is a sentence without its subject: `must be an array`. */
  add(path: ErrorPath, predicate: string): void;
}

export function createIssueList(): IssueList {
  const all: Issue[] = [];
  return {
    all,
    add(path, predicate) {
      if (all.length < MAX_ISSUES) all.push({ path, message: `${path.join('.')} ${predicate}` });
    },
  };
}
