/** What a build does to a project, from the schema and the state of the project alone: nothing is read or written here. */
import { hasErrors } from './diagnostics/sort-diagnostics.ts';
import { isEjected } from './eject.ts';
import type { GeneratedFile } from './files/generated-file.ts';
import { extendHistory } from './migrations/extend-history.ts';
import { SUM_FILE } from './migrations/history/history-files.ts';
import { recordedMigrations } from './migrations/history/recorded.ts';
import type { ContentModel } from './model/content-model.ts';
import { actionDiagnostics } from './output/action-diagnostics.ts';
import { recordsOf } from './output/manifest.ts';
import { onceGaps } from './output/once-gaps.ts';
import { overwritePaths } from './output/overwrite.ts';
import { planOutput, type ProjectPlan } from './output/plan-output.ts';
import type { ProjectState } from './output/read-project.ts';
import { pathsToRead } from './output/reconcile.ts';
import type { StorageModel } from './storage/storage-model.ts';

/** What the schema means: to the API, to the database, and as files; these lack the migrations. */
export interface Models {
  readonly model: ContentModel;
  readonly storage: StorageModel;
  readonly files: readonly GeneratedFile[];
}

/** What a person allows to be lost, and how a migration is to be applied. */
export interface PlanOptions {
  /** Absolute: names of files may be relative to it. */
  readonly cwd: string;
  /** Files whose edits may be lost. */
  readonly overwrite: readonly string[];
  /** What may be deleted with its data: `article`, `article.body`. */
  readonly allowDestructive: readonly string[];
  /** Whether servers of the version before go on while a migration is applied: it is split in two, or refused. */
  readonly zeroDowntime: boolean;
  /** Told how many of the files that must be printed are printed. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Plans a build. What a person can mend is in the diagnostics. */
export async function planBuild(models: Models, project: ProjectState, options: PlanOptions): Promise<ProjectPlan> {
  const recorded = recordedMigrations(recordsOf(project.manifest).keys());
  const { migration, ...history } = extendHistory(project.history, models, { ...options, recorded });
  const emitted = models.files.filter(({ path }) => !isEjected(path, project.manifest));
  const files = [...emitted, ...history.files];
  const known = pathsToRead(files, project.manifest);
  const overwritten = overwritePaths(options.overwrite, { cwd: options.cwd, root: project.root, known });
  const diagnostics = [...project.diagnostics, ...history.diagnostics, ...overwritten.diagnostics];
  if (hasErrors(diagnostics)) return { output: undefined, migration, diagnostics };
  // Reading the history has shown that its sum is right: there are no edits to lose, wherever it came from.
  const output = await planOutput(files, project, new Set([...overwritten.paths, SUM_FILE]), options.onProgress);
  const gaps = await onceGaps(emitted, project);
  return { output, migration, diagnostics: [...diagnostics, ...gaps, ...actionDiagnostics(output.actions)] };
}
