/** Plans and writes a project, again where another build came between. */
import type { Action } from './action.ts';
import { isChange } from './action.ts';
import type { WriteOptions, WriteResult } from './apply.ts';
import { isBeingWritten, recoverProject, writeProject } from './apply.ts';
import { ioDiagnostic } from './io-error.ts';
import type { OutputPlan } from './plan-output.ts';
import type { ProjectState } from './read-project.ts';
import { readProject } from './read-project.ts';

/** More builds than this don't end between two looks at a project. */
const MOST_TRIES = 5;

export type UpdateResult<Plan> =
  /** `refused`: a file blocks the build. */
  | { readonly kind: 'written' | 'unchanged' | 'refused'; readonly plan: Plan }
  | Extract<WriteResult, { kind: 'failed' }>;

/** Whether a plan would change anything on the disk. */
export function isUpToDate(project: ProjectState, { actions, manifestText }: OutputPlan): boolean {
  return !actions.some(isChange) && project.manifestText === manifestText;
}

/** Whether a file stops the build. */
export function isBlocked(actions: readonly Action[]): boolean {
  return actions.some(({ kind }) => kind === 'blocked');
}

/**
 * Brings a project up to date. `planFor` plans on a state of the project; where it has nothing to write, not even the
 * lock is taken. `planFor` may say that its plan must not be written.
 */
export async function updateProject<Plan extends OutputPlan & { readonly refused?: boolean }>(
  root: string,
  planFor: (project: ProjectState) => Promise<Plan>,
  options: WriteOptions,
): Promise<UpdateResult<Plan>> {
  try {
    for (let tries = 1; ; tries++) {
      await recoverProject(root, options);
      const project = readProject(root);
      const plan = await planFor(project);
      if (plan.refused || isBlocked(plan.actions)) {
        // What was read may be half of what another build is writing just now.
        if (isBeingWritten(root) && tries < MOST_TRIES) continue;
        return { kind: 'refused', plan };
      }
      if (isUpToDate(project, plan)) return { kind: 'unchanged', plan };
      const manifest = { manifestBefore: project.manifestText, manifestAfter: plan.manifestText };
      const result = await writeProject({ root, actions: plan.actions, ...manifest }, options);
      if (result.kind === 'failed') return result;
      if (result.kind === 'written') return { kind: 'written', plan };
      if (tries === MOST_TRIES) throw new Error(`${root} changed under ${MOST_TRIES} builds in a row`);
    }
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return { kind: 'failed', diagnostic };
  }
}
