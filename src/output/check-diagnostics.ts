/** The results of `--check`, grouped by kind of difference, since each kind is fixed in a different way. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type Action, isChange } from './action.ts';
import { versionOf } from './generator-fingerprint.ts';
import { parseManifest } from './manifest.ts';
import type { OutputPlan } from './plan-output.ts';
import type { ProjectState } from './read-project.ts';

const MAX_PATHS = 5;

export interface Checked {
  readonly project: ProjectState;
  readonly plan: OutputPlan;
  /** Name of the migration that the schema needs and the project lacks. */
  readonly migration: string | undefined;
}

/** How to fix each kind of difference. */
const HINTS = {
  'output/not-built': 'build without --check, and commit the project',
  'output/other-generator':
    'use the same version everywhere: either install the version that wrote the project, or build with this one (with --downgrade if it is older) and commit the changes',
  'output/missing': 'restore the files from version control, or build without --check and commit them',
  'output/outdated': 'build without --check, and commit the changes',
  'output/stale': 'build without --check, which deletes unedited files; delete the others yourself, and commit',
  'migrations/pending':
    'build without --check, review the SQL that it adds to migrations/, and commit it; this does not access any database',
  'output/interrupted': 'build without --check',
  'output/outdated-manifest': 'build without --check, and commit the manifest',
} as const;

type Code = keyof typeof HINTS;

/** The differences between a project and its schema. Edited files are reported with the actions. */
export function checkDiagnostics({ project, plan, migration }: Checked): readonly Diagnostic[] {
  if (!project.exists || (project.manifest.kind === 'absent' && !plan.actions.some(isThere))) {
    return [difference('output/not-built', 'the project has not been built in this folder yet')];
  }
  const paths = (isMeant: (action: Action) => boolean) => plan.actions.filter(isMeant).map(({ path }) => path);
  const other = otherGenerator(project, plan);
  const found = [
    other === undefined ? undefined : difference('output/other-generator', other),
    list('output/missing', paths(isMissing), 'missing'),
    list(
      'output/outdated',
      paths(isOutdated),
      other === undefined ? 'out of date with the schema' : 'different from what this version of content-gen generates',
    ),
    list('output/stale', paths(isStale), 'no longer generated'),
    migration === undefined
      ? undefined
      : difference('migrations/pending', `the schema needs a migration that does not exist yet: ${migration}`),
    project.interrupted
      ? difference(
          'output/interrupted',
          'a build was interrupted or is still running; the next build completes an interrupted one',
        )
      : undefined,
  ].filter((one) => one !== undefined);
  if (found.length > 0 || project.manifestText === plan.manifestText) return found;
  return [difference('output/outdated-manifest', 'the files are up to date, but the manifest does not match them')];
}

/** Describes the generator that wrote the project if it is not this one. Changes to files are reported separately. */
function otherGenerator({ manifest }: ProjectState, { actions, manifestText }: OutputPlan): string | undefined {
  const planned = parseManifest(manifestText);
  if (manifest.kind !== 'read' || planned.kind !== 'read') return undefined;
  const [before, now] = [manifest.manifest.generator, planned.manifest.generator];
  if (before === now) return undefined;
  const [was, is] = [versionOf(before), versionOf(now)];
  const writer =
    was === is
      ? `another build of content-gen ${was ?? ''}`
      : was === undefined
        ? 'another version of content-gen'
        : `content-gen ${was}`;
  const same = actions.some(isChange) ? '' : '; the files are the same, and only the version in the manifest differs';
  return `the project was written by ${writer}, but this is ${was === is ? 'a different one' : `content-gen ${is ?? ''}`}${same}`;
}

function isThere({ kind }: Action): boolean {
  return kind !== 'create' && kind !== 'blocked';
}

/** New migrations are reported separately, by name. */
function isMissing({ kind, ownership }: Action): boolean {
  return kind === 'create' && ownership !== 'history';
}

function isOutdated({ kind }: Action): boolean {
  return kind === 'update';
}

function isStale(action: Action): boolean {
  return action.kind === 'delete' || (action.kind === 'keep' && action.reason === 'left-over');
}

function list(code: Code, paths: readonly string[], what: string): Diagnostic | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > MAX_PATHS ? `, and ${paths.length - MAX_PATHS} more` : '';
  const verb = paths.length === 1 ? 'file is' : 'files are';
  return difference(code, `${paths.length} ${verb} ${what}: ${paths.slice(0, MAX_PATHS).join(', ')}${more}`);
}

function difference(code: Code, message: string): Diagnostic {
  return { code, severity: 'error', kind: 'refused', message, hint: HINTS[code] };
}
