/** Changes of the migrations of a project that a person asks for. The schema is not looked at. */
import { randomBytes } from 'node:crypto';
import type { Diagnostic, Result } from './diagnostics/diagnostic.ts';
import { migrationFiles, MIGRATIONS_FOLDER, SUM_FILE } from './migrations/history-files.ts';
import { HASH_LENGTH } from './migrations/names.ts';
import { readHistory } from './migrations/read-history.ts';
import { findBrokenPlans } from './migrations/read-plan.ts';
import { addHandWritten, rebase, seal, type Rewrite } from './migrations/rewrite.ts';
import { isMigrationFile } from './migrations/sum.ts';
import type { Action } from './output/action.ts';
import { actionDiagnostics } from './output/action-diagnostics.ts';
import { readDisk } from './output/disk.ts';
import { hashText } from './output/hash.ts';
import { printManifest } from './output/manifest.ts';
import type { OutputPlan, Planner } from './output/plan-output.ts';
import type { ProjectState } from './output/read-project.ts';
import { runPlan } from './output/run-plan.ts';

/** What to do with the history of a project. */
export type MigrationsTask =
  | { readonly kind: 'status' }
  | { readonly kind: 'seal' }
  | { readonly kind: 'new'; readonly title: string }
  | { readonly kind: 'rebase'; readonly name: string | undefined };

export interface MigrationsReport {
  /** Lines for people: what was done, or what is there. */
  readonly lines: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The files of the project that are part of its history. */
function historyFiles({ history }: ProjectState): ReadonlyMap<string, string> {
  const isPart = (path: string): boolean => {
    const [, , ...rest] = path.split('/');
    return path === SUM_FILE || (path.startsWith(`${MIGRATIONS_FOLDER}/`) && isMigrationFile(rest.join('/')));
  };
  return new Map([...history].filter(([path]) => isPart(path)));
}

/** From one set of files to another. The manifest forgets what goes; the next build adds what is new. */
function rewriteFiles(project: ProjectState, after: ReadonlyMap<string, string>): OutputPlan {
  const before = historyFiles(project);
  const disk = readDisk(project.root, new Set([...before.keys(), ...after.keys()]));
  const ownershipOf = (path: string) => (path === SUM_FILE ? 'managed' : 'history');
  const actions: Action[] = [];
  for (const [path, content] of after) {
    const entry = disk.get(path);
    const file = { path, ownership: ownershipOf(path) } as const;
    if (entry?.kind === 'obstacle') actions.push({ kind: 'blocked', ...file, reason: entry });
    else if (entry?.kind !== 'file') actions.push({ kind: 'create', ...file, content });
    else if (entry.hash !== hashText(content)) actions.push({ kind: 'update', ...file, content, before: entry.hash });
  }
  for (const path of before.keys()) {
    const entry = disk.get(path);
    if (after.has(path) || entry?.kind !== 'file') continue;
    actions.push({ kind: 'delete', path, ownership: ownershipOf(path), before: entry.hash });
  }
  return { actions, manifestText: manifestAfter(project, actions) };
}

function manifestAfter({ manifest, manifestText = '' }: ProjectState, actions: readonly Action[]): string {
  if (!('manifest' in manifest)) return manifestText;
  const records = new Map(manifest.manifest.records);
  for (const action of actions) {
    const record = records.get(action.path);
    if (action.kind === 'delete') records.delete(action.path);
    else if (action.kind === 'update' && record && record.owner !== 'once') {
      records.set(action.path, { ...record, content: hashText(action.content) });
    }
  }
  return printManifest({ ...manifest.manifest, records });
}

function rewriteOf(
  task: Exclude<MigrationsTask, { kind: 'status' }>,
  files: ReadonlyMap<string, string>,
): Result<Rewrite> {
  switch (task.kind) {
    case 'seal':
      return seal(files);
    case 'new':
      return addHandWritten(files, task.title, randomBytes(HASH_LENGTH / 2).toString('hex'));
    case 'rebase':
      return rebase(files, task.name);
  }
}

function status(files: ReadonlyMap<string, string>): MigrationsReport {
  const { value, diagnostics } = readHistory(files);
  if (!value) return { lines: migrationFiles(files).map(({ name }) => `${name}  ?`), diagnostics };
  const lines = value.map(({ name, handWritten, part }) => {
    if (part === 'contract') return `${name}  waits for: npm run migrate -- up --contract`;
    return handWritten ? `${name}  written by hand` : name;
  });
  return { lines: lines.length === 0 ? ['There are no migrations yet.'] : lines, diagnostics };
}

const NO_PROJECT: Diagnostic = {
  code: 'output/not-built',
  severity: 'error',
  kind: 'refused',
  message: 'there is no project in this folder',
  hint: 'Name the folder of the project with --out.',
};

/** Does what was asked for, all of it or nothing. Never throws for what a person can mend: that is in the report. */
export async function runMigrationsTask(
  task: MigrationsTask,
  options: { readonly cwd: string; readonly out: string; readonly onWait: (processId: number) => void },
): Promise<MigrationsReport> {
  let lines: readonly string[] = [];
  const planner: Planner = async (project) => {
    const stopped = (diagnostics: readonly Diagnostic[]) => ({ output: undefined, migration: undefined, diagnostics });
    if (project.manifest.kind === 'absent') return stopped([NO_PROJECT]);
    const files = historyFiles(project);
    if (task.kind === 'status') {
      const report = status(files);
      ({ lines } = report);
      return stopped(report.diagnostics);
    }
    const broken = await findBrokenPlans(files);
    if (broken.length > 0) return stopped(broken);
    const { value, diagnostics } = rewriteOf(task, files);
    if (!value) return stopped(diagnostics);
    lines = value.done;
    const output = rewriteFiles(project, value.files);
    return { output, migration: undefined, diagnostics: [...diagnostics, ...actionDiagnostics(output.actions)] };
  };
  const mode = task.kind === 'status' ? 'dry-run' : 'write';
  const { diagnostics } = await runPlan(planner, { ...options, mode, diff: false, downgrade: task.kind === 'status' });
  return { lines: task.kind === 'status' || diagnostics.length === 0 ? lines : [], diagnostics };
}
