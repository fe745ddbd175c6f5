/** The pipeline: from schema files to a written project. Nothing is written until every stage has succeeded. */
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { hasErrors } from './diagnostics/sort-diagnostics.ts';
import { emitProject } from './emit/emit-project.ts';
import { emitMigration } from './migrations/emit-migration.ts';
import { planMigration } from './migrations/plan-migration.ts';
import { readHistory } from './migrations/read-history.ts';
import { buildContentModel, unservedFeatures } from './model/build-content-model.ts';
import type { ContentModel } from './model/content-model.ts';
import { actionDiagnostics } from './output/action-diagnostics.ts';
import type { Action } from './output/action.ts';
import { projectRoot } from './output/apply.ts';
import { checkDiagnostics } from './output/check-diagnostics.ts';
import { fileOperations } from './output/file-operations.ts';
import type { GeneratedFile } from './output/generated-file.ts';
import { ioDiagnostic } from './output/io-error.ts';
import { overwritePaths } from './output/overwrite.ts';
import type { OutputPlan } from './output/plan-output.ts';
import { planOutput } from './output/plan-output.ts';
import type { ProjectState } from './output/read-project.ts';
import { readProject } from './output/read-project.ts';
import { pathsToRead } from './output/reconcile.ts';
import { unifiedDiff } from './output/unified-diff.ts';
import { isUpToDate, updateProject } from './output/update-project.ts';
import { loadSources } from './schema/load-sources.ts';
import { readSchema } from './schema/read-schema.ts';
import type { SourceFile } from './schema/source-file.ts';
import { buildStorageModel } from './storage/build-storage-model.ts';
import { layoutOf } from './storage/compute-layout.ts';
import type { StorageModel } from './storage/storage-model.ts';

/** `check` and `dry-run` write nothing, not even a lock; `check` takes every difference for an error. */
export type BuildMode = 'write' | 'check' | 'dry-run';

export interface BuildOptions {
  /** Files and folders of the schema. */
  readonly schema: readonly string[];
  /** Folder of the project; by default it has the project's name. */
  readonly out: string | undefined;
  readonly mode: BuildMode;
  /** Whether to work out the changes as a unified diff. */
  readonly diff: boolean;
  /** Files whose edits may be lost. */
  readonly overwrite: readonly string[];
}

export interface BuildIo {
  readonly cwd: string;
  /** Called when another build of the same project has to be waited for. */
  readonly onWait: (processId: number) => void;
}

export interface BuildReport {
  readonly mode: BuildMode;
  /** `planned`: there are changes, and the mode writes nothing. `stopped`: errors; nothing was written. */
  readonly outcome: 'written' | 'unchanged' | 'planned' | 'stopped';
  /** The folder of the project as it was named; `undefined` where the schema could not be read. */
  readonly out: string | undefined;
  readonly actions: readonly Action[];
  /** Name of the migration that this build adds. */
  readonly migration: string | undefined;
  /** `undefined`: not asked for. */
  readonly diff: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** For the lines that messages show. */
  readonly sources: readonly SourceFile[];
}

/** Builds, or says what a build would do. Never throws for what a person can mend: that is in the report. */
export async function build(options: BuildOptions, io: BuildIo): Promise<BuildReport> {
  const { mode } = options;
  const { model, sources, diagnostics } = await readModel(options.schema, io.cwd);
  const stopped: BuildReport = {
    ...{ mode, outcome: 'stopped', out: undefined, actions: [], migration: undefined, diff: undefined },
    ...{ diagnostics, sources },
  };
  if (!model) return stopped;
  const out = options.out ?? `./${model.name.replace(/^.*\//, '')}`;
  try {
    const root = projectRoot(io.cwd, out);
    const planFor = plannerOf(model, { names: options.overwrite, cwd: io.cwd });
    const done = await (mode === 'write' ? write(root, planFor, io) : preview(root, planFor, mode));
    const diff = options.diff ? await unifiedDiff(root, done.actions) : undefined;
    return { ...stopped, out, ...done, diff, diagnostics: [...diagnostics, ...done.diagnostics] };
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return { ...stopped, out, diagnostics: [...diagnostics, diagnostic] };
  }
}

interface Reading {
  readonly model: ContentModel | undefined;
  readonly sources: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readModel(paths: readonly string[], cwd: string): Promise<Reading> {
  const sources = await loadSources(paths, cwd);
  if (!sources.value) return { model: undefined, sources: [], diagnostics: sources.diagnostics };
  const schema = readSchema(sources.value);
  const model = schema.value && buildContentModel(schema.value);
  const unserved = model?.value ? unservedFeatures(model.value) : [];
  const diagnostics = [...sources.diagnostics, ...schema.diagnostics, ...(model?.diagnostics ?? []), ...unserved];
  return { model: hasErrors(diagnostics) ? undefined : model?.value, sources: sources.value, diagnostics };
}

interface ProjectPlan extends OutputPlan {
  readonly migration: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Not to be written: there are errors. */
  readonly refused: boolean;
}

type Planner = (project: ProjectState) => Promise<ProjectPlan>;

/** What a build does depends on the project: its migrations, its manifest and its files. */
function plannerOf(
  model: ContentModel,
  overwrite: { readonly names: readonly string[]; readonly cwd: string },
): Planner {
  const layout = layoutOf(model);
  const storage = buildStorageModel(model, layout);
  const projectFiles = emitProject({ model, layout });
  return async (project) => {
    const history = migrationFiles(project, storage, model);
    const files = [...projectFiles, ...history.files];
    const known = pathsToRead(files, project.manifest);
    const overwritten = overwritePaths(overwrite.names, { ...overwrite, root: project.root, known });
    const found = [...project.diagnostics, ...history.diagnostics, ...overwritten.diagnostics];
    if (hasErrors(found)) {
      return { actions: [], manifestText: '', migration: undefined, diagnostics: found, refused: true };
    }
    const plan = await planOutput(files, project, overwritten.paths);
    const diagnostics = [...found, ...actionDiagnostics(plan.actions)];
    return { ...plan, migration: history.migration, diagnostics, refused: hasErrors(diagnostics) };
  };
}

interface MigrationFiles {
  readonly files: readonly GeneratedFile[];
  readonly migration: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function migrationFiles(project: ProjectState, target: StorageModel, { databases }: ContentModel): MigrationFiles {
  const history = readHistory(project.history);
  const planned = history.value && planMigration({ history: history.value, target });
  const diagnostics = [...history.diagnostics, ...(planned?.diagnostics ?? [])];
  const plan = planned?.value ?? undefined;
  return { files: plan ? emitMigration(plan, databases) : [], migration: plan?.name, diagnostics };
}

type Done = Pick<BuildReport, 'outcome' | 'actions' | 'migration' | 'diagnostics'>;

async function write(root: string, planFor: Planner, { onWait }: BuildIo): Promise<Done> {
  const result = await updateProject(root, planFor, { operations: fileOperations, onWait });
  if (result.kind === 'failed') {
    return { outcome: 'stopped', actions: [], migration: undefined, diagnostics: [result.diagnostic] };
  }
  const { actions, migration, diagnostics } = result.plan;
  return { outcome: result.kind === 'refused' ? 'stopped' : result.kind, actions, migration, diagnostics };
}

/** The same plan, and nothing is written. */
async function preview(root: string, planFor: Planner, mode: BuildMode): Promise<Done> {
  const project = readProject(root);
  const plan = await planFor(project);
  const { actions, migration } = plan;
  const isSettled = mode === 'check' && !(plan.refused && actions.length === 0);
  const diagnostics = [...plan.diagnostics, ...(isSettled ? checkDiagnostics({ project, plan, migration }) : [])];
  if (hasErrors(diagnostics) && mode !== 'check') return { outcome: 'stopped', actions, migration, diagnostics };
  const unchanged = isUpToDate(project, plan) && !hasErrors(diagnostics);
  return { outcome: unchanged ? 'unchanged' : 'planned', actions, migration, diagnostics };
}
