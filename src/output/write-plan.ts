/** Writes what was planned for a project, and reads it again where another build came between. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/sort-diagnostics.ts';
import { isChange } from './action.ts';
import { isBeingWritten, recoverProject, type WriteOptions, writeProject } from './apply.ts';
import { refuseDowngrade } from './downgrade.ts';
import type { OutputPlan, ProjectPlan } from './plan-output.ts';
import { type ProjectState, readProject } from './read-project.ts';

/** More builds than this don't end between two looks at a project. */
const MOST_TRIES = 5;

/** A project as it is now, for one attempt to write it. */
export interface Attempt {
  readonly project: ProjectState;
  /** What is to be said about an interrupted build that was ended before. */
  readonly recovered: readonly Diagnostic[];
  /** Whether another attempt can follow. */
  readonly mayRetry: boolean;
}

/**
 * The state of a project, read anew for each attempt, as often as builds may come between. `paths`: files that are to be
 * written, and may be there. Throws a `Refusal`, or what the system reports.
 */
export async function* attempts(
  root: string,
  paths: Iterable<string>,
  options: WriteOptions,
): AsyncGenerator<Attempt, void> {
  const recovered: Diagnostic[] = [];
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    recovered.push(...(await recoverProject(root, options)));
    const project = readProject(root, paths);
    if (!options.downgrade) refuseDowngrade(project.manifest);
    yield { project, recovered, mayRetry: tries < MOST_TRIES };
  }
}

/** That a project was written by others between all attempts. */
export function neverSettled(root: string): Error {
  return new Error(`${root} changed under ${MOST_TRIES} builds in a row`);
}

/** Whether a plan would change nothing on the disk. */
export function isUpToDate(project: ProjectState, { actions, manifestText }: OutputPlan): boolean {
  return !actions.some(isChange) && project.manifestText === manifestText;
}

/**
 * - `refused`: the plan has an error, such as an edited file;
 * - `outdated`: another build came between, so that it is to be planned anew;
 * - `failed`: the system reports an error; nothing was written.
 */
export type WriteResult =
  | { readonly kind: 'written' | 'unchanged' | 'refused' | 'outdated' }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** Does what was planned, or nothing. Where there is nothing to write, not even the lock is taken. */
export async function writePlan(
  { project, mayRetry }: Attempt,
  { output, diagnostics }: ProjectPlan,
  options: WriteOptions,
): Promise<WriteResult> {
  const { root, manifestText } = project;
  if (!output || hasErrors(diagnostics)) {
    // What was read may be half of what another build is writing just now.
    return { kind: mayRetry && isBeingWritten(root) ? 'outdated' : 'refused' };
  }
  if (isUpToDate(project, output)) return { kind: 'unchanged' };
  const manifest = { manifestBefore: manifestText, manifestAfter: output.manifestText };
  return writeProject({ root, actions: output.actions, ...manifest }, options);
}
