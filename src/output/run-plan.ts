/** Carries out a plan for a project, or only says what it would do: `build`, `--check`, `--dry-run` and `--diff` read the same plan. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/sort-diagnostics.ts';
import type { Action } from './action.ts';
import { projectRoot } from './apply.ts';
import { checkDiagnostics } from './check-diagnostics.ts';
import { refuseDowngrade } from './downgrade.ts';
import { fileOperations } from './file-operations.ts';
import { ioDiagnostic } from './io-error.ts';
import type { Planner } from './plan-output.ts';
import { readProject } from './read-project.ts';
import { unifiedDiff } from './unified-diff.ts';
import { isUpToDate, updateProject } from './update-project.ts';

/** `check` and `dry-run` write nothing, not even a lock; `check` takes every difference for an error. */
export type BuildMode = 'write' | 'check' | 'dry-run';

export interface RunOptions {
  readonly cwd: string;
  /** Folder of the project, as it was named. */
  readonly out: string;
  readonly mode: BuildMode;
  /** Whether to work out the changes as a unified diff. */
  readonly diff: boolean;
  /** Whether a project that a newer version of content-gen wrote may be written by this one. */
  readonly downgrade?: boolean;
  /** Called when another build of the same project has to be waited for. */
  readonly onWait: (processId: number) => void;
}

export interface RunReport {
  /** `planned`: there are changes, and the mode writes nothing. `stopped`: errors; nothing was written. */
  readonly outcome: 'written' | 'unchanged' | 'planned' | 'stopped';
  readonly actions: readonly Action[];
  readonly migration: string | undefined;
  /** `undefined`: not asked for. */
  readonly diff: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING_DONE = { outcome: 'stopped', actions: [], migration: undefined, diff: undefined } as const;

/** Never throws for what a person can mend: that is in the report. */
export async function runPlan(planFor: Planner, options: RunOptions): Promise<RunReport> {
  const { cwd, out, mode, onWait, downgrade = false } = options;
  try {
    const root = projectRoot(cwd, out);
    if (mode !== 'write') return await preview(root, planFor, options);
    const result = await updateProject(root, planFor, { operations: fileOperations, onWait, downgrade });
    if (result.kind === 'failed') return { ...NOTHING_DONE, diagnostics: [result.diagnostic] };
    const { output, ...plan } = result.plan;
    const outcome = result.kind === 'refused' ? 'stopped' : result.kind;
    return { ...NOTHING_DONE, ...plan, outcome, actions: output?.actions ?? [] };
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return { ...NOTHING_DONE, diagnostics: [diagnostic] };
  }
}

async function preview(root: string, planFor: Planner, options: RunOptions): Promise<RunReport> {
  const { mode, downgrade = false } = options;
  const project = readProject(root);
  // A check reports another generator among the differences.
  if (mode === 'dry-run' && !downgrade) refuseDowngrade(project.manifest);
  const { output, migration, diagnostics: planned } = await planFor(project);
  if (!output) return { ...NOTHING_DONE, diagnostics: planned };
  const { actions } = output;
  const diff = options.diff ? await unifiedDiff(root, actions) : undefined;
  const checked = mode === 'check' ? checkDiagnostics({ project, plan: output, migration }) : [];
  const diagnostics = [...planned, ...checked];
  const changesNothing = isUpToDate(project, output);
  const isStopped = hasErrors(planned) || (changesNothing && hasErrors(checked));
  const outcome = isStopped ? 'stopped' : changesNothing ? 'unchanged' : 'planned';
  return { outcome, actions, migration, diff, diagnostics };
}
