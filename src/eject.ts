/** Ejects a part of a project: the team owns it from then on, and builds never touch it again. */
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { ejectedRuntime } from './emit/project/ejected-runtime.ts';
import { hashText } from './files/hash.ts';
import type { Action } from './output/action.ts';
import { actionDiagnostics } from './output/action-diagnostics.ts';
import { projectRoot } from './output/apply.ts';
import { type DiskEntry, entryAt } from './output/disk.ts';
import { fileOperations } from './output/file-operations.ts';
import { generatorFingerprint } from './output/generator-fingerprint.ts';
import { ioDiagnostic } from './output/io-error.ts';
import { type FileRecord, isContentOf, type Manifest, printManifest } from './output/manifest.ts';
import type { ProjectPlan } from './output/plan-output.ts';
import { isEjected, isVendored, RUNTIME_FOLDER, RUNTIME_MARK } from './output/project-runtime.ts';
import type { ProjectState } from './output/read-project.ts';
import { attempts, tooManyAttempts, writePlan } from './output/write-plan.ts';

function refusal(message: string, hint: string): Diagnostic {
  return { code: 'output/not-ejected', severity: 'error', kind: 'refused', message, hint };
}

/** The manifest of the project, or the reason why the project cannot be ejected. */
function manifestOf({ manifest }: ProjectState): Manifest | Diagnostic {
  if (manifest.kind === 'absent') {
    return refusal('there is no project in this folder', 'specify the folder of the project with --out');
  }
  if (manifest.kind === 'read' && !isVendored(manifest)) {
    return refusal(
      'the runtime of this project is an installed package',
      'write `runtime: vendored` in the schema and build; then it can be ejected',
    );
  }
  if (isEjected(manifest)) return refusal('runtime/ was already ejected', 'there is nothing to do');
  if (manifest.kind === 'read' && manifest.manifest.generator === generatorFingerprint()) return manifest.manifest;
  return refusal('the project was not built by this version of content-gen', 'first build it with this version');
}

/** Deletes a built file, or replaces it with the ejected one of the same path. Undefined if the disk needs no change. */
function actionOf(
  path: string,
  { record, disk, content }: { record: FileRecord | undefined; disk: DiskEntry; content: string | undefined },
): Action | undefined {
  const ownership = 'managed';
  if (disk.kind === 'obstacle') return { kind: 'blocked', path, ownership, reason: disk };
  if (disk.kind === 'absent') return content === undefined ? undefined : { kind: 'create', path, ownership, content };
  if (disk.hash === hashText(content ?? '')) return undefined;
  if (!isContentOf(record, disk.hash)) {
    return { kind: 'blocked', path, ownership, reason: { kind: record === undefined ? 'foreign' : 'edited' } };
  }
  if (content === undefined) return { kind: 'delete', path, ownership, before: disk.hash };
  return { kind: 'update', path, ownership, content, before: disk.hash };
}

/** Plans the ejection. */
function planEject(project: ProjectState, after: ReadonlyMap<string, string>): ProjectPlan {
  const manifest = manifestOf(project);
  if (!('records' in manifest)) return { output: undefined, migration: undefined, diagnostics: [manifest] };
  const before = [...manifest.records.keys()].filter((path) => path.startsWith(RUNTIME_FOLDER));
  const actions = [...new Set([...before, ...after.keys()])].flatMap((path) => {
    const disk = entryAt(project.disk, path);
    return actionOf(path, { record: manifest.records.get(path), disk, content: after.get(path) }) ?? [];
  });
  const records = new Map([...manifest.records].filter(([path]) => !path.startsWith(RUNTIME_FOLDER)));
  records.set(RUNTIME_MARK, { owner: 'once' });
  const output = { actions, manifestText: printManifest({ ...manifest, records }) };
  return { output, migration: undefined, diagnostics: actionDiagnostics(actions) };
}

interface EjectOptions {
  readonly cwd: string;
  readonly out: string;
  readonly onWait: (processId: number) => void;
}

/** Ejects `runtime/`, all of it or nothing. Never throws for problems that the user can fix: it returns them. */
export async function ejectRuntime(options: EjectOptions): Promise<readonly Diagnostic[]> {
  try {
    return await eject(projectRoot(options.cwd, options.out), options);
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return [diagnostic];
  }
}

async function eject(root: string, { onWait }: EjectOptions): Promise<readonly Diagnostic[]> {
  const writing = { operations: fileOperations, onWait };
  const after = ejectedRuntime();
  for await (const attempt of attempts(root, after.keys(), writing)) {
    const plan = planEject(attempt.project, after);
    const result = await writePlan(attempt, plan, writing);
    if (result.kind === 'failed') return [result.diagnostic];
    if (result.kind !== 'outdated') return [...attempt.recovered, ...plan.diagnostics];
  }
  throw tooManyAttempts(root);
}
