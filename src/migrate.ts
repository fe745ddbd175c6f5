/** The `content-gen migrations` commands, which change the migrations of a project. They do not read the schema. */
import { isMigrationFile } from '#contract/migration-sum.ts';
import { randomBytes } from 'node:crypto';
import type { Diagnostic, Result } from './diagnostics/diagnostic.ts';
import { drop } from './migrations/drop.ts';
import { migrationFiles, MIGRATIONS_FOLDER, SUM_FILE } from './migrations/history/history-files.ts';
import { HASH_LENGTH } from './migrations/history/names.ts';
import { readHistory } from './migrations/history/read-history.ts';
import { findBrokenPlans } from './migrations/history/read-plan.ts';
import { lostMigrations, recordedMigrations } from './migrations/history/recorded.ts';
import type { Rewrite } from './migrations/rewrite-result.ts';
import { addHandWritten, rebase } from './migrations/rewrite.ts';
import { seal } from './migrations/seal.ts';
import { unsealedMigrations } from './migrations/history/unsealed.ts';
import type { Action } from './output/action.ts';
import { actionDiagnostics } from './output/action-diagnostics.ts';
import { projectRoot } from './output/apply.ts';
import { entryAt } from './output/disk.ts';
import { fileOperations } from './output/file-operations.ts';
import { ioDiagnostic } from './output/io-error.ts';
import { hashText, normalizeLineEnds } from './files/hash.ts';
import { printManifest, recordsOf } from './output/manifest.ts';
import type { OutputPlan, ProjectPlan } from './output/plan-output.ts';
import { type ProjectState, readProject } from './output/read-project.ts';
import { attempts, tooManyAttempts, writePlan } from './output/write-plan.ts';

/** What to do with the migration history of a project. */
export type MigrationsTask =
  | { readonly kind: 'status' }
  | { readonly kind: 'seal' }
  | { readonly kind: 'new'; readonly title: string }
  | { readonly kind: 'rebase'; readonly name: string | undefined }
  | {
      readonly kind: 'drop';
      readonly name: string | undefined;
      /** What the database of the project has applied; undefined if that is not known. */
      readonly applied?: ReadonlySet<string> | undefined;
    };

export interface MigrationsReport {
  /** Lines for the terminal: what was done, or the status. */
  readonly lines: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The project files that belong to the migration history. */
function historyFiles({ history }: ProjectState): ReadonlyMap<string, string> {
  const isPart = (path: string): boolean => {
    const [, , ...rest] = path.split('/');
    return path === SUM_FILE || (path.startsWith(`${MIGRATIONS_FOLDER}/`) && isMigrationFile(rest.join('/')));
  };
  return new Map([...history].filter(([path]) => isPart(path)));
}

function ownershipOf(path: string): 'managed' | 'history' {
  return path === SUM_FILE ? 'managed' : 'history';
}

/**
 * Replaces one set of files with another. Removed files, and every file of the `dropped` migration, are removed from
 * the manifest.
 */
function rewriteFiles(
  project: ProjectState,
  after: ReadonlyMap<string, string>,
  dropped: string | undefined,
): OutputPlan {
  const before = historyFiles(project);
  const actions: Action[] = [];
  for (const [path, content] of after) {
    const entry = entryAt(project.disk, path);
    const file = { path, ownership: ownershipOf(path) } as const;
    if (entry.kind === 'obstacle') actions.push({ kind: 'blocked', ...file, reason: entry });
    else if (entry.kind !== 'file') actions.push({ kind: 'create', ...file, content });
    else if (entry.hash !== hashText(content)) actions.push({ kind: 'update', ...file, content, before: entry.hash });
  }
  for (const path of before.keys()) {
    const entry = entryAt(project.disk, path);
    if (after.has(path) || entry.kind !== 'file') continue;
    actions.push({ kind: 'delete', path, ownership: ownershipOf(path), before: entry.hash });
  }
  const isGone = (path: string): boolean =>
    (before.has(path) && !after.has(path)) || path.startsWith(`${MIGRATIONS_FOLDER}/${dropped ?? ''}/`);
  return { actions, manifestText: manifestAfter(project, after, isGone) };
}

/** The manifest afterwards. It records each file that a build would write, just as that build would. */
function manifestAfter(
  { manifest, manifestText = '' }: ProjectState,
  after: ReadonlyMap<string, string>,
  gone: (path: string) => boolean,
): string {
  if (!('manifest' in manifest)) return manifestText;
  const records = new Map([...manifest.manifest.records].filter(([path]) => !gone(path)));
  const unsealed = unsealedMigrations(after).map(({ name }) => `${MIGRATIONS_FOLDER}/${name}/`);
  for (const [path, text] of after) {
    if (unsealed.some((folder) => path.startsWith(folder))) continue;
    const hash = hashText(normalizeLineEnds(text));
    records.set(path, { owner: ownershipOf(path), source: hash, content: hash });
  }
  return printManifest({ ...manifest.manifest, records });
}

function rewriteOf(
  task: Exclude<MigrationsTask, { kind: 'status' }>,
  files: ReadonlyMap<string, string>,
  recorded: ReadonlySet<string>,
): Result<Rewrite> {
  switch (task.kind) {
    case 'seal':
      return seal(files);
    case 'new':
      return addHandWritten(files, task.title, randomBytes(HASH_LENGTH / 2).toString('hex'));
    case 'rebase':
      return rebase(files, task.name);
    case 'drop':
      return drop(files, task.name, { recorded, applied: task.applied });
  }
}

function status(files: ReadonlyMap<string, string>): MigrationsReport {
  const { value, diagnostics } = readHistory(files);
  const unsealed = unsealedMigrations(files).map(({ name }) => `${name}  not sealed, so no server applies it`);
  if (!value) return { lines: migrationFiles(files).map(({ name }) => `${name}  ?`), diagnostics };
  const lines = value.map(({ name, handWritten, part }) => {
    if (part === 'contract') return `${name}  waits for: npm run server -- migrate up --contract`;
    return handWritten ? `${name}  handwritten` : name;
  });
  const all = [...lines, ...unsealed];
  return { lines: all.length === 0 ? ['There are no migrations yet.'] : all, diagnostics };
}

const NO_PROJECT: Diagnostic = {
  code: 'output/not-built',
  severity: 'error',
  kind: 'refused',
  message: 'there is no project in this folder',
  hint: 'Specify the folder of the project with --out.',
};

/** The effect of a task on the project, and its output. */
interface TaskPlan extends Pick<ProjectPlan, 'output' | 'diagnostics'> {
  readonly lines: readonly string[];
}

function stopped(diagnostics: readonly Diagnostic[], lines: readonly string[] = []): TaskPlan {
  return { output: undefined, diagnostics, lines };
}

async function planTask(task: MigrationsTask, project: ProjectState): Promise<TaskPlan> {
  if (project.manifest.kind === 'absent') return stopped([NO_PROJECT]);
  const files = historyFiles(project);
  const recorded = recordedMigrations(recordsOf(project.manifest).keys());
  const lost = task.kind === 'drop' && task.name !== undefined ? [] : lostMigrations(files, recorded);
  if (task.kind === 'status') {
    const { lines, diagnostics } = status(files);
    return stopped([...lost, ...diagnostics], lines);
  }
  if (lost.length > 0) return stopped(lost);
  const broken = await findBrokenPlans(files);
  if (broken.length > 0) return stopped(broken);
  const { value, diagnostics } = rewriteOf(task, files, recorded);
  if (!value) return stopped(diagnostics);
  const output = rewriteFiles(project, value.files, value.dropped);
  return { output, diagnostics: [...diagnostics, ...actionDiagnostics(output.actions)], lines: value.done };
}

interface TaskOptions {
  readonly cwd: string;
  readonly out: string;
  readonly onWait: (processId: number) => void;
}

/**
 * Carries out the task, all of it or nothing. Never throws for problems that the user can fix: they are in the report.
 */
export async function runMigrationsTask(task: MigrationsTask, options: TaskOptions): Promise<MigrationsReport> {
  try {
    const root = projectRoot(options.cwd, options.out);
    if (task.kind !== 'status') return await carryOut(task, root, options);
    const { lines, diagnostics } = await planTask(task, readProject(root, []));
    return { lines, diagnostics };
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return { lines: [], diagnostics: [diagnostic] };
  }
}

async function carryOut(task: MigrationsTask, root: string, { onWait }: TaskOptions): Promise<MigrationsReport> {
  const writing = { operations: fileOperations, onWait };
  for await (const attempt of attempts(root, [], writing)) {
    const { output, diagnostics: planned, lines } = await planTask(task, attempt.project);
    const result = await writePlan(attempt, { output, migration: undefined, diagnostics: planned }, writing);
    if (result.kind === 'outdated') continue;
    const diagnostics = result.kind === 'failed' ? [result.diagnostic] : [...attempt.recovered, ...planned];
    return { lines: diagnostics.length === 0 ? lines : [], diagnostics };
  }
  throw tooManyAttempts(root);
}
