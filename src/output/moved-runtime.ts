/**
 * What a build changes in files of the team when the schema moves the runtime, out of the project or into it: the lines that
 * differ between both places. What a team has written around them stays.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type GeneratedFile, printFile } from '../files/generated-file.ts';
import { hashText, normalizeLineEnds } from '../files/hash.ts';
import { recordsOf } from './manifest.ts';
import type { ProjectState } from './read-project.ts';
import type { Printed } from './reconcile.ts';

/** What is in the project where the runtime is. */
const VENDORED = 'runtime/package.json';

/** The package, as a dependency of projects. */
const RUNTIME = '@content-gen/runtime';

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
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((name) => {
    const [is, was, willBe] = [own[name], before[name], after[name]];
    if (isMap(is) && isMap(was) && isMap(willBe)) return changeMembers(is, was, willBe);
    if (isDeepStrictEqual(was, willBe) || isDeepStrictEqual(is, willBe)) return true;
    if (!isDeepStrictEqual(is, was) && name !== RUNTIME) return false;
    if (willBe === undefined) Reflect.deleteProperty(own, name);
    else own[name] = willBe;
    return true;
  });
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

/** `files` are all files of the build, also those of an ejected runtime, which belongs to the team. */
export async function movedRuntime(
  files: readonly GeneratedFile[],
  { manifest, ownTexts }: Pick<ProjectState, 'manifest' | 'ownTexts'>,
): Promise<MovedRuntime> {
  const texts = new Map<string, Printed>();
  const diagnostics: Diagnostic[] = [];
  const records = recordsOf(manifest);
  const isInProject = files.some(({ path }) => path === VENDORED);
  if (records.size === 0 || records.has(VENDORED) === isInProject) return { texts, diagnostics };
  for (const file of files) {
    const own = ownTexts.get(file.path);
    if (file.former === undefined || own === undefined) continue;
    const text = await changed(file, file.former, normalizeLineEnds(own));
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
  const isInProject = files.some(({ path }) => path === VENDORED);
  if (isInProject || recordsOf(manifest).get(VENDORED)?.owner !== 'once') return [];
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
