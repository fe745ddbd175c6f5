/** The pipeline: from schema files to a written project. Nothing is written until every stage has succeeded. */
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { hasErrors } from './diagnostics/sort-diagnostics.ts';
import { isEjected } from './eject.ts';
import { emitProject } from './emit/emit-project.ts';
import { extendHistory } from './migrations/extend-history.ts';
import { recordedMigrations } from './migrations/history/recorded.ts';
import { resolveReading } from './model/build-content-model.ts';
import type { ContentModel } from './model/content-model.ts';
import { actionDiagnostics } from './output/action-diagnostics.ts';
import { overwritePaths } from './output/overwrite.ts';
import { packageGaps } from './output/package-gaps.ts';
import type { Planner } from './output/plan-output.ts';
import { planOutput } from './output/plan-output.ts';
import { pathsToRead } from './output/reconcile.ts';
import type { RunOptions, RunReport } from './output/run-plan.ts';
import { runPlan } from './output/run-plan.ts';
import { loadSources } from './schema/load-sources.ts';
import { readSchema } from './schema/read-schema.ts';
import type { SourceFile } from './schema/source-file.ts';
import { buildStorageModel } from './storage/build-storage-model.ts';
import { checkStorage } from './storage/check-storage.ts';
import { layoutOf } from './storage/compute-layout.ts';
import type { Layout } from './storage/layout.ts';
import type { StorageModel } from './storage/storage-model.ts';

export interface BuildOptions extends Omit<RunOptions, 'out'> {
  /** Files and folders of the schema. */
  readonly schema: readonly string[];
  /** Folder of the project; by default it has the project's name. */
  readonly out: string | undefined;
  /** Files whose edits may be lost. */
  readonly overwrite: readonly string[];
  /** What may be deleted with its data: `article`, `article.body`. */
  readonly allowDestructive?: readonly string[];
  /** Whether servers of the version before go on while a migration is applied: it is split in two, or refused. */
  readonly zeroDowntime?: boolean;
}

export interface BuildReport extends RunReport {
  readonly mode: BuildOptions['mode'];
  /** The folder of the project as it was named; `undefined` where the schema could not be read. */
  readonly out: string | undefined;
  /** For the lines that messages show. */
  readonly sources: readonly SourceFile[];
}

/** Builds, or says what a build would do. Never throws for what a person can mend: that is in the report. */
export async function build(options: BuildOptions): Promise<BuildReport> {
  const { mode, cwd, overwrite } = options;
  const { models, sources, diagnostics } = await readModels(options.schema, cwd);
  if (!models) {
    const nothing = { out: undefined, actions: [], migration: undefined, diff: undefined };
    return { mode, outcome: 'stopped', ...nothing, diagnostics, sources };
  }
  const out = options.out ?? `./${models.model.name.replace(/^.*\//, '')}`;
  const { allowDestructive = [], zeroDowntime = false } = options;
  const wishes = { overwrite, allowDestructive, zeroDowntime, cwd };
  const report = await runPlan(plannerOf(models, wishes), { ...options, out });
  return { ...report, mode, out, sources, diagnostics: [...diagnostics, ...report.diagnostics] };
}

/** What the schema means: to the API, and to the database. */
interface Models {
  readonly model: ContentModel;
  readonly layout: Layout;
  readonly storage: StorageModel;
}

interface Reading {
  /** Undefined if anything is wrong with the schema. */
  readonly models: Models | undefined;
  readonly sources: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readModels(paths: readonly string[], cwd: string): Promise<Reading> {
  const sources = await loadSources(paths, cwd);
  if (!sources.value) return { models: undefined, sources: [], diagnostics: sources.diagnostics };
  const schema = readSchema(sources.value);
  const model = resolveReading(schema);
  const models = model.value && modelsOf(model.value);
  const diagnostics = [...sources.diagnostics, ...model.diagnostics];
  if (models) diagnostics.push(...checkStorage(models.model, models.layout, models.storage));
  return { models: hasErrors(diagnostics) ? undefined : models, sources: sources.value, diagnostics };
}

function modelsOf(model: ContentModel): Models {
  const layout = layoutOf(model);
  return { model, layout, storage: buildStorageModel(model, layout) };
}

/** What a person allows to be lost, and how a migration is to be applied. */
type Wishes = Required<Pick<BuildOptions, 'overwrite' | 'allowDestructive' | 'zeroDowntime' | 'cwd'>>;

function plannerOf(models: Models, wishes: Wishes): Planner {
  const emitted = emitProject(models);
  return async (project) => {
    const projectFiles = emitted.filter(({ path }) => !isEjected(path, project.manifest));
    const recorded = recordedMigrations(project.manifest);
    const { migration, ...history } = await extendHistory(project.history, models, { ...wishes, recorded });
    const files = [...projectFiles, ...history.files];
    const known = pathsToRead(files, project.manifest);
    const overwritten = overwritePaths(wishes.overwrite, { cwd: wishes.cwd, root: project.root, known });
    const diagnostics = [...project.diagnostics, ...history.diagnostics, ...overwritten.diagnostics];
    if (hasErrors(diagnostics)) return { output: undefined, migration, diagnostics };
    // Reading the history has shown that its sum is right: there are no edits to lose, wherever it came from.
    const output = await planOutput(files, project, new Set([...overwritten.paths, 'migrations/migrations.sum']));
    const gaps = await packageGaps(projectFiles, project);
    return { output, migration, diagnostics: [...diagnostics, ...gaps, ...actionDiagnostics(output.actions)] };
  };
}
