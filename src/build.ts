/** The pipeline: from schema files to a written project. Nothing is written until every stage has succeeded. */
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { hasErrors } from './diagnostics/sort-diagnostics.ts';
import { cachedReading, cacheReading } from './known-schema.ts';
import type { Action } from './output/action.ts';
import { isBeingWritten, projectRoot } from './output/apply.ts';
import { checkDiagnostics } from './output/check-diagnostics.ts';
import { refuseDowngrade } from './output/downgrade.ts';
import { fileOperations } from './output/file-operations.ts';
import { ioDiagnostic } from './output/io-error.ts';
import { isProject, readProject } from './output/read-project.ts';
import { unifiedDiff } from './output/unified-diff.ts';
import { attempts, isUpToDate, tooManyAttempts, writePlan } from './output/write-plan.ts';
import { type Models, planBuild, type PlanOptions } from './plan-build.ts';
import type { ModelReading } from './read-models.ts';
import { loadSources } from './schema/load-sources.ts';
import type { SourceFile } from './schema/source-file.ts';

type Optional = 'allowDestructive' | 'zeroDowntime';

export interface BuildOptions extends Omit<PlanOptions, Optional>, Partial<Pick<PlanOptions, Optional>> {
  /** Files and folders of the schema. */
  readonly schema: readonly string[];
  /**
   * Project folder. Defaults to the working directory if that is a project, otherwise to a folder named after the
   * project.
   */
  readonly out: string | undefined;
  /** `check` and `dry-run` write nothing, not even a lock; `check` reports every difference as an error. */
  readonly mode: 'write' | 'check' | 'dry-run';
  /** Whether to produce the changes as a unified diff. */
  readonly diff: boolean;
  /** Whether to write a project that was last written by a newer version of content-gen. */
  readonly downgrade?: boolean;
  /** Called when this build has to wait for another build of the same project. */
  readonly onWait: (processId: number) => void;
}

/** The effect on the project. */
interface Outcome {
  /**
   * `planned`: there are changes, but the mode writes nothing. `stopped`: there were errors, and nothing was written.
   */
  readonly outcome: 'written' | 'unchanged' | 'planned' | 'stopped';
  readonly actions: readonly Action[];
  readonly migration: string | undefined;
  /** `undefined` unless requested. */
  readonly diff: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface BuildReport extends Outcome {
  readonly mode: BuildOptions['mode'];
  /** The project folder as given on the command line; `undefined` if the schema could not be read. */
  readonly out: string | undefined;
  /** For the source lines shown in messages. */
  readonly sources: readonly SourceFile[];
}

const NOTHING_DONE = { outcome: 'stopped', actions: [], migration: undefined, diff: undefined } as const;

/** Builds, or reports what a build would do. Never throws for problems that the user can fix: they are in the report. */
export async function build(options: BuildOptions): Promise<BuildReport> {
  const loaded = await loadSources(options.schema, options.cwd);
  const unchanged = loaded.value && (await unchangedReport(loaded.value, options));
  if (unchanged) return unchanged;
  // Imported lazily, since an unchanged project needs neither the YAML parser nor the emitters.
  const { readModels } = await import('./read-models.ts');
  const reading = readModels(loaded);
  const report = await buildModels(reading, options);
  if (report.outcome === 'written' && report.out !== undefined) {
    cacheReading(projectRoot(options.cwd, report.out), reading);
  }
  return report;
}

/**
 * The report if there is nothing to write; undefined if only the schema itself can tell. `--check` never relies on what
 * an earlier build kept, nor does a build that has to complete another one.
 */
async function unchangedReport(
  sources: readonly SourceFile[],
  options: BuildOptions,
): Promise<BuildReport | undefined> {
  const { mode, cwd } = options;
  const out = options.out ?? (isProject(cwd) ? '.' : undefined);
  if (mode !== 'write' || out === undefined) return undefined;
  try {
    const root = projectRoot(cwd, out);
    const known = isBeingWritten(root) ? undefined : cachedReading(root, sources);
    if (!known) return undefined;
    const outcome = await preview(root, known.models, { ...options, out, mode: 'dry-run' });
    if (outcome.outcome !== 'unchanged') return undefined;
    return { ...outcome, mode, out, sources, diagnostics: [...known.diagnostics, ...outcome.diagnostics] };
  } catch {
    // A file must be printed, or the project can't be read: the full build prints or reports it.
    return undefined;
  }
}

/** Like `build`, from a schema that has been read already. */
export async function buildModels(
  { models, sources, diagnostics }: ModelReading,
  options: Omit<BuildOptions, 'schema'>,
): Promise<BuildReport> {
  const { mode, cwd } = options;
  if (!models) return { ...NOTHING_DONE, mode, out: undefined, diagnostics, sources };
  const out = options.out ?? defaultOut(cwd, models);
  const outcome = await outcomeOf(models, { ...options, out });
  return { ...outcome, mode, out, sources, diagnostics: [...diagnostics, ...outcome.diagnostics] };
}

/** The working directory if it is a project; otherwise a folder named after the project. */
function defaultOut(cwd: string, { model }: Models): string {
  return isProject(cwd) ? '.' : `./${model.name.replace(/^.*\//, '')}`;
}

type NamedOptions = Omit<BuildOptions, 'schema'> & { readonly out: string };

async function outcomeOf(models: Models, options: NamedOptions): Promise<Outcome> {
  try {
    const root = projectRoot(options.cwd, options.out);
    return await (options.mode === 'write' ? update(root, models, options) : preview(root, models, options));
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return { ...NOTHING_DONE, diagnostics: [diagnostic] };
  }
}

function planOptions({ allowDestructive = [], zeroDowntime = false, ...options }: NamedOptions): PlanOptions {
  const { cwd, overwrite, onProgress } = options;
  return { cwd, overwrite, allowDestructive, zeroDowntime, onProgress };
}

function pathsOf({ files }: Models): readonly string[] {
  return files.map(({ path }) => path);
}

/** Plans and writes the project; repeats both if another build wrote in between. */
async function update(root: string, models: Models, options: NamedOptions): Promise<Outcome> {
  const { onWait, downgrade = false } = options;
  const writing = { operations: fileOperations, onWait, downgrade };
  for await (const attempt of attempts(root, pathsOf(models), writing)) {
    const { output, migration, diagnostics } = await planBuild(models, attempt.project, planOptions(options));
    const result = await writePlan(attempt, { output, migration, diagnostics }, writing);
    if (result.kind === 'outdated') continue;
    if (result.kind === 'failed') return { ...NOTHING_DONE, diagnostics: [result.diagnostic] };
    const outcome = result.kind === 'refused' ? 'stopped' : result.kind;
    const all = [...attempt.recovered, ...diagnostics];
    return { ...NOTHING_DONE, outcome, migration, actions: output?.actions ?? [], diagnostics: all };
  }
  throw tooManyAttempts(root);
}

/** Reports what `update` would do. */
async function preview(root: string, models: Models, options: NamedOptions): Promise<Outcome> {
  const { mode, downgrade = false } = options;
  const project = readProject(root, pathsOf(models));
  // `check` reports a different generator version as one of the differences.
  if (mode === 'dry-run' && !downgrade) refuseDowngrade(project.manifest);
  const { output, migration, diagnostics: planned } = await planBuild(models, project, planOptions(options));
  if (!output) return { ...NOTHING_DONE, diagnostics: planned };
  const { actions } = output;
  const diff = options.diff ? await unifiedDiff(root, actions) : undefined;
  const checked = mode === 'check' ? checkDiagnostics({ project, plan: output, migration }) : [];
  const changesNothing = isUpToDate(project, output);
  const isStopped = hasErrors(planned) || (changesNothing && hasErrors(checked));
  const outcome = isStopped ? 'stopped' : changesNothing ? 'unchanged' : 'planned';
  return { outcome, actions, migration, diff, diagnostics: [...planned, ...checked] };
}
