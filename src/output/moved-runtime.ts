/**
 * What a build changes in files of the team when the schema moves the runtime, out of the project or into it: the lines that
 * differ between both places. What a team has written around them stays.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type GeneratedFile, printFile } from '../files/generated-file.ts';
import { hashText, normalizeLineEnds } from '../files/hash.ts';
import { recordsOf } from './manifest.ts';
import { isEjected, isVendored, RUNTIME_MARK, RUNTIME_PACKAGE } from './project-runtime.ts';
import type { ProjectState } from './read-project.ts';
import type { Printed } from './reconcile.ts';

/** How many lines around a change may differ from what was written. */
const FUZZ = 2;

export interface MovedRuntime {
  /** Path → the text that replaces the one on disk. */
  readonly texts: ReadonlyMap<string, Printed>;
  readonly diagnostics: readonly Diagnostic[];
}

function cantChange(path: string): Diagnostic {
  return {
    code: 'output/runtime-moved',
    severity: 'warning',
    message: `the runtime moves, but ${path} was changed where it says where the runtime is`,
    hint: `change it by hand: --diff --overwrite ${path} shows what would be written`,
  };
}

/** The lines of a text that differ between both places, changed in the team's own text; undefined if they are not there. */
async function changedLines(path: string, [before, after, own]: readonly [string, string, string]) {
  const { applyPatch, structuredPatch } = await import('diff');
  const patch = structuredPatch(path, path, before, after, undefined, undefined, { context: 1 });
  const text = applyPatch(own, patch, { fuzzFactor: FUZZ });
  return text === false ? undefined : text;
}

type Members = Record<string, unknown>;

function isMap(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Changes the members that differ; false if one of them is not what was written. Where a runtime is installed from is the team's choice. */
function changeMembers(own: Members, before: Members, after: Members): boolean {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [is, was, willBe] = [own[name], before[name], after[name]];
    if (isMap(is) && isMap(was) && isMap(willBe)) {
      if (!changeMembers(is, was, willBe)) return false;
    } else if (!isDeepStrictEqual(was, willBe) && !isDeepStrictEqual(is, willBe)) {
      if (!isDeepStrictEqual(is, was) && name !== RUNTIME_PACKAGE) return false;
      if (willBe === undefined) Reflect.deleteProperty(own, name);
      else own[name] = willBe;
    }
  }
  return true;
}

function changedPackage([before, after, own]: readonly [string, string, string]): string | undefined {
  try {
    const text = JSON.parse(own) as Members;
    return changeMembers(text, JSON.parse(before), JSON.parse(after))
      ? `${JSON.stringify(text, undefined, 2)}\n`
      : undefined;
  } catch {
    return undefined;
  }
}

/** The file as it is on disk, changed as what was generated for it differs between both places; undefined if that is not possible. */
async function changed(file: GeneratedFile, former: GeneratedFile, own: string): Promise<string | undefined> {
  const [before, after] = await Promise.all([printFile(former), printFile(file)]);
  if (before === after || own === after) return own;
  const texts = [before, after, own] as const;
  return file.path === 'package.json' ? changedPackage(texts) : await changedLines(file.path, texts);
}

function isInProject(files: readonly GeneratedFile[]): boolean {
  return files.some(({ path }) => path === RUNTIME_MARK);
}

/** `files` are all files of the build, also those of an ejected runtime, which belongs to the team. */
export async function movedRuntime(
  files: readonly GeneratedFile[],
  { manifest, ownTexts }: Pick<ProjectState, 'manifest' | 'ownTexts'>,
): Promise<MovedRuntime> {
  const texts = new Map<string, Printed>();
  const diagnostics: Diagnostic[] = [];
  if (recordsOf(manifest).size === 0 || isVendored(manifest) === isInProject(files)) return { texts, diagnostics };
  for (const file of files) {
    const onDisk = ownTexts.get(file.path);
    if (file.former === undefined || onDisk === undefined) continue;
    const own = normalizeLineEnds(onDisk);
    const text = await changed(file, file.former, own);
    if (text === undefined) diagnostics.push(cantChange(file.path));
    else if (text !== own) texts.set(file.path, { text, hash: hashText(text) });
  }
  return { texts, diagnostics };
}

/** An ejected runtime belongs to the team: no build deletes it. */
export function ejectedInTheWay(
  files: readonly GeneratedFile[],
  { manifest }: Pick<ProjectState, 'manifest'>,
): readonly Diagnostic[] {
  if (isInProject(files) || !isEjected(manifest)) return [];
  return [
    {
      code: 'output/runtime-ejected',
      severity: 'error',
      kind: 'refused',
      message: 'runtime/ was ejected: it belongs to you, and the schema says `runtime: package`',
      hint: 'write `runtime: vendored`, or delete runtime/ and its lines in content-gen.manifest.json',
    },
  ];
}
