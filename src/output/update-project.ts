/** Plans and writes a project, again where another build came between. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/sort-diagnostics.ts';
import { isChange } from './action.ts';
import type { WriteOptions, WriteResult } from './apply.ts';
import { isBeingWritten, recoverProject, writeProject } from './apply.ts';
import { refuseDowngrade } from './downgrade.ts';
import type { OutputPlan, Planner, ProjectPlan } from './plan-output.ts';
import type { ProjectState } from './read-project.ts';
import { readProject } from './read-project.ts';

/** More builds than this don't end between two looks at a project. */
const MOST_TRIES = 5;

/** `refused`: an error, such as an edited file. */
export type UpdateResult =
  | { readonly kind: 'written' | 'unchanged' | 'refused'; readonly plan: ProjectPlan }
  | Extract<WriteResult, { kind: 'failed' }>;

/** Whether a plan would change nothing on the disk. */
export function isUpToDate(project: ProjectState, { actions, manifestText }: OutputPlan): boolean {
  return !actions.some(isChange) && project.manifestText === manifestText;
}

/**
 * Brings a project up to date. Where there is nothing to write, not even the lock is taken. Throws a `Refusal`, or what
 * the system reports, as long as nothing was written.
 */
export async function updateProject(root: string, planFor: Planner, options: WriteOptions): Promise<UpdateResult> {
  const recovered: Diagnostic[] = [];
  for (let tries = 1; ; tries++) {
    recovered.push(...(await recoverProject(root, options)));
    const project = readProject(root);
    if (!options.downgrade) refuseDowngrade(project.manifest);
    const planned = await planFor(project);
    const plan = { ...planned, diagnostics: [...recovered, ...planned.diagnostics] };
    const { output, diagnostics } = plan;
    if (!output || hasErrors(diagnostics)) {
      // What was read may be half of what another build is writing just now.
      if (isBeingWritten(root) && tries < MOST_TRIES) continue;
      return { kind: 'refused', plan };
    }
    if (isUpToDate(project, output)) return { kind: 'unchanged', plan };
    const manifest = { manifestBefore: project.manifestText, manifestAfter: output.manifestText };
    const result = await writeProject({ root, actions: output.actions, ...manifest }, options);
    if (result.kind === 'failed') return result;
    if (result.kind === 'written') return { kind: 'written', plan };
    if (tries === MOST_TRIES) throw new Error(`${root} changed under ${MOST_TRIES} builds in a row`);
  }
}
