/** Turns generated files into actions: prints where necessary, and compares. Reads and writes no project files. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Action } from './action.ts';
import { entryAt } from './disk.ts';
import { findShapes } from './find-shapes.ts';
import { formatText } from './format.ts';
import { type GeneratedFile, printFile } from '../files/generated-file.ts';
import { generatorFingerprint } from './generator-fingerprint.ts';
import { hashText, normalizeLineEnds } from '../files/hash.ts';
import { printManifest } from './manifest.ts';
import { isProjectPath } from './project-path.ts';
import type { ProjectState } from './read-project.ts';
import { filesToPrint, pathsToRead, type Printed, reconcile } from './reconcile.ts';

export interface OutputPlan {
  readonly actions: readonly Action[];
  /** Text of the manifest after the actions. */
  readonly manifestText: string;
}

/** The effect of a build on a project. `output` is undefined if there are errors. */
export interface ProjectPlan {
  readonly output: OutputPlan | undefined;
  /** Name of the migration that the build adds. */
  readonly migration: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface OutputOptions {
  /** Files of the team that the build changes: path → new text. */
  readonly moved?: ReadonlyMap<string, Printed>;
  readonly onProgress?: PrintListener;
}

type PrintListener = ((done: number, total: number) => void) | undefined;

/** Plans the output of a build. Throws if an emitter uses a path outside of the project, or the same path twice. */
export async function planOutput(
  files: readonly GeneratedFile[],
  project: ProjectState,
  overwrite: ReadonlySet<string>,
  { moved = new Map(), onProgress }: OutputOptions = {},
): Promise<OutputPlan> {
  const unsafe = files.find(({ path }) => !isProjectPath(path));
  if (unsafe) throw new Error(`not a path within a project: ${JSON.stringify(unsafe.path)}`);
  const generator = generatorFingerprint();
  const { manifest } = project;
  const disk = new Map([...pathsToRead(files, manifest)].map((path) => [path, entryAt(project.disk, path)]));
  const baseline = { manifest, disk, generator, overwrite, moved };
  const printed = await printFiles(filesToPrint(files, baseline), onProgress);
  const shapes = findShapes(project.edited, files, printed, baseline);
  const { actions, records } = reconcile(files, printed, { ...baseline, ...shapes });
  return { actions, manifestText: printManifest({ generator, records }) };
}

async function printFiles(
  files: readonly GeneratedFile[],
  onProgress: PrintListener,
): Promise<ReadonlyMap<string, Printed>> {
  const printed = new Map<string, Printed>();
  for (const file of files) {
    onProgress?.(printed.size, files.length);
    const text = normalizeLineEnds(await formatText(await printFile(file), file.format));
    printed.set(file.path, { text, hash: hashText(text) });
  }
  return printed;
}
