/** Plans a build from the schema and the state of the project. Pure: reads and writes no files. */
import { hasErrors } from './diagnostics/sort-diagnostics.ts';
import type { GeneratedFile } from './files/generated-file.ts';
import { extendHistory } from './migrations/extend-history.ts';
import { SUM_FILE } from './migrations/history/history-files.ts';
import { recordedMigrations } from './migrations/history/recorded.ts';
import type { ContentModel } from './model/content-model.ts';
import { actionDiagnostics } from './output/action-diagnostics.ts';
import { recordsOf } from './output/manifest.ts';
import { ejectedInTheWay, movedRuntime } from './output/moved-runtime.ts';
import { onceGaps } from './output/once-gaps.ts';
import { overwritePaths } from './output/overwrite.ts';
import { planOutput, type ProjectPlan } from './output/plan-output.ts';
import { isEjected, RUNTIME_FOLDER } from './output/project-runtime.ts';
import type { ProjectState } from './output/read-project.ts';
import { pathsToRead } from './output/reconcile.ts';
import type { StorageModel } from './storage/storage-model.ts';

/** Everything derived from the schema: the API model, the database model and the generated files, except migrations. */
export interface Models {
  readonly model: ContentModel;
  readonly storage: StorageModel;
  readonly files: readonly GeneratedFile[];
}

/** What the user allows to be lost, and how migrations are to be applied. */
export interface PlanOptions {
  /** Absolute. File names given by the user may be relative to it. */
  readonly cwd: string;
  /** Files whose edits may be overwritten. */
  readonly overwrite: readonly string[];
  /** Types and attributes that may be dropped with their data: `article`, `article.body`. */
  readonly allowDestructive: readonly string[];
  /**
   * Whether servers of the previous version keep running while a migration is applied. If so, it is split in two, or
   * refused.
   */
  readonly zeroDowntime: boolean;
  /** Called with the number of files printed so far, and the number of files that have to be printed. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Plans a build. Problems that the user can fix are in the diagnostics. */
export async function planBuild(models: Models, project: ProjectState, options: PlanOptions): Promise<ProjectPlan> {
  const recorded = recordedMigrations(recordsOf(project.manifest).keys());
  const { migration, ...history } = extendHistory(project.history, models, { ...options, recorded });
  const ejected = isEjected(project.manifest);
  const emitted = models.files.filter(({ path }) => !(ejected && path.startsWith(RUNTIME_FOLDER)));
  const files = [...emitted, ...history.files];
  const known = pathsToRead(files, project.manifest);
  const overwritten = overwritePaths(options.overwrite, { cwd: options.cwd, root: project.root, known });
  const moved = await movedRuntime(models.files, project);
  const diagnostics = [
    ...project.diagnostics,
    ...history.diagnostics,
    ...overwritten.diagnostics,
    ...ejectedInTheWay(models.files, project),
    ...moved.diagnostics,
  ];
  if (hasErrors(diagnostics)) return { output: undefined, migration, diagnostics };
  // Reading the history has verified the sum file, so there are no edits to lose, wherever the file came from.
  const overwrite = new Set([...overwritten.paths, SUM_FILE]);
  const output = await planOutput(files, project, overwrite, { moved: moved.texts, onProgress: options.onProgress });
  const gaps = await onceGaps(
    emitted.filter(({ path }) => !moved.texts.has(path)),
    project,
  );
  return { output, migration, diagnostics: [...diagnostics, ...gaps, ...actionDiagnostics(output.actions)] };
}
