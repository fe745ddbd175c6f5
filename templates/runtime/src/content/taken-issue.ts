/** The issue for a value that must be unique but is already in use. */
import type { ErrorPath, Issue } from '../contract/errors.ts';

/**
 * The issue for a value that another entry has. For a private attribute, it says only that the entry can't be saved, and is left
 * out of the response if there are other issues.
 */
export function takenIssue(path: ErrorPath, { isPrivate }: { readonly isPrivate: boolean }): Issue {
  if (!isPrivate) return { path, message: 'This attribute must be unique' };
  const reason = `${path.join('.')} has a value that another entry already has`;
  return { path: [], message: "This entry can't be saved", reason, isPrivate };
}
