/** What `--check` has found, by kind: each kind of difference is mended in another way. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Action } from './action.ts';
import type { OutputPlan } from './plan-output.ts';
import type { ProjectState } from './read-project.ts';

const MOST_PATHS = 5;

export interface Checked {
  readonly project: ProjectState;
  readonly plan: OutputPlan;
  /** Name of the migration that the schema needs and the project has not. */
  readonly migration: string | undefined;
}

/** The differences between a project and its schema. Files that were edited are reported with the actions. */
export function checkDiagnostics({ project, plan, migration }: Checked): readonly Diagnostic[] {
  if (!project.exists || (project.manifest.kind === 'absent' && !plan.actions.some(isThere))) {
    return [difference('output/not-built', 'the schema was never built here')];
  }
  const paths = (isMeant: (action: Action) => boolean) => plan.actions.filter(isMeant).map(({ path }) => path);
  const found = [
    list('output/missing', paths(isMissing), 'missing'),
    list('output/outdated', paths(isOutdated), 'not as the schema says'),
    list('output/stale', paths(isStale), 'no longer generated'),
    migration === undefined
      ? undefined
      : difference('migrations/pending', `the schema needs a migration that is not there: ${migration}`),
    project.interrupted
      ? difference('output/interrupted', 'a build was interrupted here, or is at work; a build completes it')
      : undefined,
  ].filter((one) => one !== undefined);
  if (found.length > 0 || project.manifestText === plan.manifestText) return found;
  // Nothing to write but the manifest: files that it does not know, or another version of the generator.
  return [difference('output/outdated-manifest', 'the manifest is not that of these files')];
}

function isThere({ kind }: Action): boolean {
  return kind !== 'create' && kind !== 'blocked';
}

/** New migrations are reported by name. */
function isMissing({ kind, ownership }: Action): boolean {
  return kind === 'create' && ownership !== 'history';
}

function isOutdated({ kind }: Action): boolean {
  return kind === 'update';
}

function isStale(action: Action): boolean {
  return action.kind === 'delete' || (action.kind === 'keep' && action.reason === 'left-over');
}

function list(code: string, paths: readonly string[], what: string): Diagnostic | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > MOST_PATHS ? `, and ${paths.length - MOST_PATHS} more` : '';
  const verb = paths.length === 1 ? 'file is' : 'files are';
  return difference(code, `${paths.length} ${verb} ${what}: ${paths.slice(0, MOST_PATHS).join(', ')}${more}`);
}

function difference(code: string, message: string): Diagnostic {
  return { code, severity: 'error', kind: 'refused', message, hint: 'run the build without --check, and commit' };
}
