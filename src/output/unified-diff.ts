/** The changes of a build as a unified diff for `git apply`. */
import { type Action, isChange } from './action.ts';
import { readProjectText } from './disk.ts';

const NOTHING = '/dev/null';

/** One diff of all changed files, sorted by path; empty if there are none. */
export async function unifiedDiff(root: string, actions: readonly Action[]): Promise<string> {
  const changes = actions.filter(isChange);
  if (changes.length === 0) return '';
  const { createTwoFilesPatch } = await import('diff');
  const patches = changes.map((action) => {
    const { path } = action;
    const before = action.kind === 'create' ? undefined : (readProjectText(root, path) ?? '');
    const after = action.kind === 'delete' ? undefined : action.content;
    const names = [before === undefined ? NOTHING : `a/${path}`, after === undefined ? NOTHING : `b/${path}`] as const;
    const patch = createTwoFilesPatch(...names, before ?? '', after ?? '', undefined, undefined, { context: 3 });
    return patch.replace(/^=+\n/, '');
  });
  return patches.join('');
}
