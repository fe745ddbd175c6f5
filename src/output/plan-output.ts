/** From generated files to actions: reads the disk, prints what must be printed, and compares. Writes nothing. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Action } from './action.ts';
import { readDisk, readProjectText } from './disk.ts';
import { formatText } from './format.ts';
import type { GeneratedFile } from './generated-file.ts';
import { generatorFingerprint } from './generator-fingerprint.ts';
import { hashText, normalizeLineEnds } from './hash.ts';
import { isContentOf, printManifest } from './manifest.ts';
import { isProjectPath } from './project-path.ts';
import type { ProjectState } from './read-project.ts';
import { filesToPrint, pathsToRead, reconcile, type Surroundings } from './reconcile.ts';
import { isSameButFormat } from './same-but-format.ts';

export interface OutputPlan {
  readonly actions: readonly Action[];
  /** Text of the manifest once the actions are done. */
  readonly manifestText: string;
}

/** What a build does to a project; undefined `output`: there are errors, it can't be known. */
export interface ProjectPlan {
  readonly output: OutputPlan | undefined;
  /** Name of the migration that it adds. */
  readonly migration: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan depends on the project's state: its manifest, its migrations and its files. */
export type Planner = (project: ProjectState) => Promise<ProjectPlan>;

/** Plans the output of a build. Throws where an emitter names a path outside of the project, or one path twice. */
export async function planOutput(
  files: readonly GeneratedFile[],
  { root, manifest }: ProjectState,
  overwrite: ReadonlySet<string>,
): Promise<OutputPlan> {
  const unsafe = files.find(({ path }) => !isProjectPath(path));
  if (unsafe) throw new Error(`not a path within a project: ${JSON.stringify(unsafe.path)}`);
  const generator = generatorFingerprint();
  const disk = readDisk(root, pathsToRead(files, manifest));
  const around = { manifest, disk, generator, overwrite };
  const printed = await printFiles(filesToPrint(files, around));
  const formatted = await formattedFiles(files, printed, root, around);
  const { actions, records } = reconcile(files, printed, { ...around, formatted });
  return { actions, manifestText: printManifest({ generator, records }) };
}

/** The managed files that are not as they were written because of a formatter. Those whose edits may be lost are not looked at. */
async function formattedFiles(
  files: readonly GeneratedFile[],
  printed: ReadonlyMap<string, string>,
  root: string,
  { manifest, disk, overwrite }: Surroundings,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (!('manifest' in manifest)) return found;
  for (const { path, ownership } of files) {
    const [entry, content] = [disk.get(path), printed.get(path)];
    if (ownership !== 'managed' || entry?.kind !== 'file' || content === undefined || overwrite.has(path)) continue;
    const record = manifest.manifest.records.get(path);
    if (isContentOf(record, entry.hash) || entry.hash === hashText(content)) continue;
    const text = readProjectText(root, path);
    if (text !== undefined && (await isSameButFormat(path, content, text))) found.add(path);
  }
  return found;
}

async function printFiles(files: readonly GeneratedFile[]): Promise<ReadonlyMap<string, string>> {
  const printed = new Map<string, string>();
  for (const file of files) {
    printed.set(file.path, normalizeLineEnds(await formatText(await file.print(), file.format)));
  }
  return printed;
}
