/** A temporary project, for tests of the output. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { actionDiagnostics } from '../../src/output/action-diagnostics.ts';
import { ioDiagnostic } from '../../src/output/io-error.ts';
import { fileOperations } from '../../src/output/file-operations.ts';
import type { FileOperations } from '../../src/output/file-operations.ts';
import type { GeneratedFile, Ownership } from '../../src/output/generated-file.ts';
import { GENERATED_HEADER } from '../../src/output/managed-path.ts';
import { planOutput } from '../../src/output/plan-output.ts';
import type { UpdateResult } from '../../src/output/update-project.ts';
import { updateProject } from '../../src/output/update-project.ts';

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
export function file(path: string, text: string, ownership: Ownership = 'managed'): GeneratedFile & { prints: number } {
  const it = {
    path,
    ownership,
    format: 'none' as const,
    source: `source of ${text}`,
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

/** One build of these files. */
export async function buildFiles(
  root: string,
  files: readonly GeneratedFile[],
  options: Options = {},
): Promise<UpdateResult> {
  const { overwrite = [], operations = fileOperations, ...rest } = options;
  try {
    return await updateProject(
      root,
      async (project) => {
        const output = await planOutput(files, project, new Set(overwrite));
        return { output, migration: undefined, diagnostics: actionDiagnostics(output.actions) };
      },
      { operations, onWait: () => {}, ...rest },
    );
  } catch (error) {
    const diagnostic = ioDiagnostic(error);
    if (!diagnostic) throw error;
    return { kind: 'failed', diagnostic };
  }
}

/** Path → content of all files, and of folders `null`. */
export function tree(root: string, prefix = ''): Readonly<Record<string, string | null>> {
  const entries = readdirSync(join(root, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix + entry.name;
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
