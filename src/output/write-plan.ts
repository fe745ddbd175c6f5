/** Writes the plan for a project; reads the project again if another build wrote in between. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/sort-diagnostics.ts';
import { isChange } from './action.ts';
import { isBeingWritten, recoverProject, type WriteOptions, writeProject } from './apply.ts';
import { refuseDowngrade } from './downgrade.ts';
import type { OutputPlan, ProjectPlan } from './plan-output.ts';
import { type ProjectState, readProject } from './read-project.ts';

/** Maximum number of attempts. Other builds are not expected to interfere with all of them. */
const MAX_ATTEMPTS = 5;

/** The current state of a project, for one attempt to write it. */
export interface Attempt {
  readonly project: ProjectState;
  /** Diagnostics about an interrupted build that was completed or rolled back before. */
  readonly recovered: readonly Diagnostic[];
  /** Whether another attempt can follow. */
  readonly mayRetry: boolean;
}

/**
 * Yields the state of a project, read again for each attempt. `paths`: files that are to be written, and may exist.
 * Throws a `Refusal` or a system error.
 */
export async function* attempts(
  root: string,
  paths: Iterable<string>,
  options: WriteOptions,
): AsyncGenerator<Attempt, void> {
  const recovered: Diagnostic[] = [];
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries += 1) {
    recovered.push(...(await recoverProject(root, options)));
    const project = readProject(root, paths);
    if (!options.downgrade) refuseDowngrade(project.manifest);
    yield { project, recovered, mayRetry: tries < MAX_ATTEMPTS };
  }
}

/** The error if other builds wrote the project during every attempt. */
export function tooManyAttempts(root: string): Error {
  return new Error(`${root} was changed during each of ${MAX_ATTEMPTS} attempts to build it`);
}

/** Whether a plan changes nothing on disk. */
export function isUpToDate(project: ProjectState, { actions, manifestText }: OutputPlan): boolean {
  return !actions.some(isChange) && project.manifestText === manifestText;
}

/**
 * - `refused`: the plan has an error, such as an edited file;
 * - `outdated`: another build wrote in between, so the plan must be made again;
 * - `failed`: a system error; nothing was written.
 */
export type WriteResult =
  | { readonly kind: 'written' | 'unchanged' | 'refused' | 'outdated' }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** Writes a plan, all of it or nothing. If there is nothing to write, it does not even take the lock. */
export async function writePlan(
  { project, mayRetry }: Attempt,
  { output, diagnostics }: ProjectPlan,
  options: WriteOptions,
): Promise<WriteResult> {
  const { root, manifestText } = project;
  if (!output || hasErrors(diagnostics)) {
    // Another build may be writing just now, so the state that was read may be inconsistent.
    return { kind: mayRetry && isBeingWritten(root) ? 'outdated' : 'refused' };
  }
  if (isUpToDate(project, output)) return { kind: 'unchanged' };
  const manifest = { manifestBefore: manifestText, manifestAfter: output.manifestText };
  return writeProject({ root, actions: output.actions, ...manifest }, options);
}
