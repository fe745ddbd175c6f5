/** What a client is told of a value that must be unique, and is not. */
import type { ErrorPath, Issue } from '../contract/errors.ts';

/**
 * What is said of a value that another entry has: of a private attribute that the entry can't be saved, and nothing where
 * something else is wrong.
 */
export function takenIssue(path: ErrorPath, { isPrivate }: { readonly isPrivate: boolean }): Issue {
  if (!isPrivate) return { path, message: 'This attribute must be unique' };
  const reason = `${path.join('.')} has a value that another entry has`;
  return { path: [], message: "This entry can't be saved", reason, isPrivate };
}
