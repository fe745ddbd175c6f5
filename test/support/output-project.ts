/** A temporary project, for tests of the output. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { actionDiagnostics } from '../../src/output/action-diagnostics.ts';
import { ioDiagnostic } from '../../src/output/io-error.ts';
import { fileOperations, type FileOperations } from '../../src/output/file-operations.ts';
import type { GeneratedFile, Ownership } from '../../src/files/generated-file.ts';
import { GENERATED_HEADER } from '../../src/files/generated-header.ts';
import { CACHE_FOLDER } from '../../src/output/project-path.ts';
import { planOutput, type ProjectPlan } from '../../src/output/plan-output.ts';
import { attempts, tooManyAttempts, writePlan, type WriteResult } from '../../src/output/write-plan.ts';

/** A temporary folder, removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'content-gen-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The header of generated code: files without it are never deleted. */
export function generated(text: string): string {
  return `${GENERATED_HEADER}${text}\n`;
}

/** A generated file that counts how often it was printed. */
export function file(path: string, text: string, owner: Ownership = 'managed'): GeneratedFile & { prints: number } {
  const it = {
    path,
    owner,
    format: 'none' as const,
    input: `input of ${text}`,
    extensionPoint: 'src/extensions/index.ts',
    prints: 0,
    print: () => {
      it.prints++;
      return text;
    },
  };
  return it;
}

interface Options {
  readonly overwrite?: readonly string[];
  readonly operations?: FileOperations;
  readonly tries?: number;
}

/** The result of a build, and its last plan. */
type Built = WriteResult & { readonly plan?: ProjectPlan };

/** One build of these files. */
export async function buildFiles(root: string, files: readonly GeneratedFile[], options: Options = {}): Promise<Built> {
  const { overwrite = [], operations = fileOperations, ...rest } = options;
  const writing = { operations, onWait: () => {}, ...rest };
  const paths = files.map(({ path }) => path);
  try {
    for await (const attempt of attempts(root, paths, writing)) {
      const output = await planOutput(files, attempt.project, new Set(overwrite));
      const diagnostics = [...attempt.recovered, ...actionDiagnostics(output.actions)];
      const plan = { output, migration: undefined, diagnostics };
      const result = await writePlan(attempt, plan, writing);
      if (result.kind !== 'outdated') return { ...result, plan };
    }
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return { kind: 'failed', diagnostic };
  }
  throw tooManyAttempts(root);
}

/** Path → content of each file; `null` for folders. Without the cache, which may be missing. */
export function tree(root: string, prefix = ''): Readonly<Record<string, string | null>> {
  const entries = readdirSync(join(root, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix + entry.name;
    if (entry.name === CACHE_FOLDER) return [];
    if (entry.isDirectory()) return [[path, null], ...Object.entries(tree(root, `${path}/`))];
    return [[path, entry.isFile() ? readFileSync(join(root, path), 'utf8') : `not a file`]];
  });
  return Object.fromEntries(entries);
}

/** The paths at which two folders differ. */
export function differences(a: string, b: string): readonly string[] {
  const [one, other] = [tree(a), tree(b)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((path) => one[path] !== other[path]);
}
