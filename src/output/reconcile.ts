/**
 * Compares the output of a build with the manifest and the disk: one action per file. Pure. Replaces or deletes only
 * files that the manifest owns and whose content is still the generator's.
 */
import type { Action, BlockedReason } from './action.ts';
import type { DiskEntry } from './disk.ts';
import { type GeneratedFile, inputHash } from '../files/generated-file.ts';
import { type FileRecord, isContentOf, isSourceOf, type ManifestState, recordsOf } from './manifest.ts';
import { isGeneratedFile, isManagedPath } from './managed-path.ts';
import { byCodePoint } from './project-path.ts';

/** The final text of a file. */
export interface Printed {
  readonly text: string;
  readonly hash: string;
}

/** The state that a build is compared with. */
export interface Baseline {
  readonly manifest: ManifestState;
  /** Entries of every path that is generated or in the manifest. */
  readonly disk: ReadonlyMap<string, DiskEntry>;
  /** Fingerprint of this generator. */
  readonly generator: string;
  /** Paths of files whose edits may be overwritten. */
  readonly overwrite: ReadonlySet<string>;
  /** The new texts of files of the team that say where the runtime is, if it moves. */
  readonly moved?: ReadonlyMap<string, Printed>;
  /** Paths of managed files that only a formatter has changed, and that otherwise have the content to be written. */
  readonly formatted?: ReadonlySet<string>;
  /**
   * Paths of managed files that only a formatter has changed since they were written, and that are to be updated or
   * deleted.
   */
  readonly reformatted?: ReadonlySet<string>;
  /** The shapes of printed files, see `shapeHash`. */
  readonly shapes?: ReadonlyMap<string, string>;
}

export interface Reconciliation {
  /** Sorted by path. */
  readonly actions: readonly Action[];
  /** The records of the manifest after the actions. */
  readonly records: ReadonlyMap<string, FileRecord>;
}

const ABSENT: DiskEntry = { kind: 'absent' };

/** Every path whose state on disk is needed for the comparison. */
export function pathsToRead(files: readonly GeneratedFile[], manifest: ManifestState): ReadonlySet<string> {
  return new Set([...files.map(({ path }) => path), ...recordsOf(manifest).keys()]);
}

/**
 * The files that must be printed because their content determines the action. An unchanged project needs none: the
 * hashes of the input and of the file on disk suffice.
 */
export function filesToPrint(files: readonly GeneratedFile[], baseline: Baseline): readonly GeneratedFile[] {
  return files.filter((file) => {
    const record = recordsOf(baseline.manifest).get(file.path);
    const disk = baseline.disk.get(file.path) ?? ABSENT;
    if (disk.kind === 'obstacle') return false;
    switch (file.owner) {
      case 'managed':
        return !isUnchanged(file, record, disk, baseline);
      case 'once':
        if (baseline.overwrite.has(file.path)) return true;
        return !record && (disk.kind === 'absent' || baseline.manifest.kind === 'absent');
      case 'history':
        return file.isCompleted === true || !(disk.kind === 'file' && isContentOf(record, disk.hash));
    }
  });
}

function isUnchanged(
  file: GeneratedFile,
  record: FileRecord | undefined,
  disk: DiskEntry,
  { manifest, generator }: Baseline,
): boolean {
  if (disk.kind !== 'file' || record?.owner !== 'managed' || !('manifest' in manifest)) return false;
  return (
    manifest.manifest.generator === generator && isContentOf(record, disk.hash) && isSourceOf(record, inputHash(file))
  );
}

/**
 * Decides the action for each file. `printed` has the content of each file in `filesToPrint`. Throws if two files have
 * the same path or a content is missing: defects of the emitters.
 */
export function reconcile(
  files: readonly GeneratedFile[],
  printed: ReadonlyMap<string, Printed>,
  baseline: Baseline,
): Reconciliation {
  const actions: Action[] = [];
  const records = new Map<string, FileRecord>();
  const ours = isOurs(files, printed, baseline);
  const generated = new Set<string>();
  for (const file of files) {
    if (generated.has(file.path)) throw new Error(`two files are generated for one path: ${file.path}`);
    generated.add(file.path);
    const action = actionOf(file, printed, baseline, ours);
    actions.push(action);
    const record = nextRecord(
      file,
      action,
      { content: contentHash(file, printed, baseline), shape: baseline.shapes?.get(file.path) },
      recordsOf(baseline.manifest).get(file.path),
    );
    if (record) records.set(file.path, record);
  }
  for (const [path, record] of recordsOf(baseline.manifest)) {
    if (generated.has(path)) continue;
    const action = leftOver(path, record, baseline);
    if (action) actions.push(action);
    const isClaimed = action?.kind === 'keep' && action.reason === 'claimed';
    if ((action?.kind === 'keep' && !isClaimed) || record.owner === 'once') records.set(path, record);
  }
  return { actions: actions.sort((a, b) => byCodePoint(a.path, b.path)), records };
}

/**
 * Without a manifest, a folder counts as our project if at least one managed file has exactly the content to be
 * written.
 */
function isOurs(
  files: readonly GeneratedFile[],
  printed: ReadonlyMap<string, Printed>,
  { manifest, disk }: Baseline,
): boolean {
  if (manifest.kind !== 'absent') return true;
  return files.some(({ path, owner }) => {
    const [entry, content] = [disk.get(path), printed.get(path)];
    return owner === 'managed' && entry?.kind === 'file' && content !== undefined && entry.hash === content.hash;
  });
}

function actionOf(
  file: GeneratedFile,
  printed: ReadonlyMap<string, Printed>,
  baseline: Baseline,
  ours: boolean,
): Action {
  const record = recordsOf(baseline.manifest).get(file.path);
  const disk = baseline.disk.get(file.path) ?? ABSENT;
  const content = () => {
    const text = printed.get(file.path);
    if (text === undefined) throw new Error(`the content of ${file.path} was not printed`);
    return text;
  };
  switch (file.owner) {
    case 'managed':
      return isUnchanged(file, record, disk, baseline)
        ? keep(file, 'unchanged')
        : managed(file, record, disk, content, baseline);
    case 'once':
      return once(file, record, disk, content, {
        ours,
        overwrite: baseline.overwrite.has(file.path),
        moved: baseline.moved?.get(file.path),
      });
    case 'history':
      return history(file, record, disk, content);
  }
}

type Content = () => Printed;

function keep({ path, owner: ownership }: GeneratedFile, reason: 'unchanged' | 'yours' | 'removed'): Action {
  return { kind: 'keep', path, ownership, reason };
}

function create({ path, owner: ownership }: GeneratedFile, { text }: Printed): Action {
  return { kind: 'create', path, ownership, content: text };
}

function blocked({ path, owner: ownership, extensionPoint }: GeneratedFile, reason: BlockedReason): Action {
  return { kind: 'blocked', path, ownership, reason, ...(extensionPoint === undefined ? {} : { extensionPoint }) };
}

function managed(
  file: GeneratedFile,
  record: FileRecord | undefined,
  disk: DiskEntry,
  content: Content,
  { overwrite, formatted, reformatted }: Baseline,
): Action {
  if (disk.kind === 'obstacle') return blocked(file, disk);
  if (disk.kind === 'absent') return create(file, content());
  const { path, owner: ownership } = file;
  const known = record?.owner === 'managed';
  if (known && formatted?.has(path) === true) return keep(file, 'unchanged');
  if (disk.hash === content().hash) return known ? keep(file, 'unchanged') : { kind: 'adopt', path, ownership };
  const update = { kind: 'update', path, ownership, content: content().text, before: disk.hash } as const;
  if (isContentOf(record, disk.hash) || reformatted?.has(path) === true) return update;
  if (overwrite.has(path)) return { ...update, discards: 'edits' };
  if (known && disk.conflicted) return { ...update, discards: 'conflict' };
  return blocked(file, { kind: known ? 'edited' : 'foreign' });
}

function once(
  file: GeneratedFile,
  record: FileRecord | undefined,
  disk: DiskEntry,
  content: Content,
  {
    ours,
    overwrite,
    moved,
  }: { readonly ours: boolean; readonly overwrite: boolean; readonly moved: Printed | undefined },
): Action {
  if (disk.kind === 'absent') return record && !overwrite ? keep(file, 'removed') : create(file, content());
  if (disk.kind === 'obstacle') {
    // The team may replace its own file with anything; an obstacle in place of a folder above blocks the build.
    return record || disk.at === file.path ? keep(file, 'yours') : blocked(file, disk);
  }
  const { path, owner: ownership } = file;
  if (overwrite && disk.hash !== content().hash) {
    return { kind: 'update', path, ownership, content: content().text, before: disk.hash, discards: 'edits' };
  }
  if (moved) return { kind: 'update', path, ownership, content: moved.text, before: disk.hash };
  if (record || ours || isCommonInNewFolders(path)) return keep(file, 'yours');
  return disk.hash === content().hash ? keep(file, 'yours') : blocked(file, { kind: 'foreign' });
}

/** Files that `git init` and code hosts put into a new folder. They don't make it a project. */
function isCommonInNewFolders(path: string): boolean {
  return path.startsWith('.') || /^readme(\.\w+)?$/i.test(path);
}

/** Missing migrations have been reported already, when the history was read. */
function history(file: GeneratedFile, record: FileRecord | undefined, disk: DiskEntry, content: Content): Action {
  if (disk.kind === 'obstacle') return blocked(file, disk);
  if (disk.kind === 'absent') return create(file, content());
  const { path, owner: ownership } = file;
  if (isContentOf(record, disk.hash)) {
    if (!file.isCompleted) return keep(file, 'unchanged');
    return { kind: 'update', path, ownership, content: content().text, before: disk.hash };
  }
  if (disk.hash === content().hash) return record ? keep(file, 'unchanged') : { kind: 'adopt', path, ownership };
  return blocked(file, { kind: record ? 'history-changed' : 'foreign' });
}

/**
 * The action for a file that the manifest owns but no build writes any more. History and the team's files are kept for
 * good.
 */
function leftOver(path: string, record: FileRecord, baseline: Baseline): Action | undefined {
  const disk = baseline.disk.get(path) ?? ABSENT;
  const ownership = record.owner;
  if (disk.kind === 'absent' || ownership === 'once') return undefined;
  if (ownership === 'history') return { kind: 'keep', path, ownership, reason: 'unchanged' };
  const isIntact = disk.kind === 'file' && (isContentOf(record, disk.hash) || baseline.reformatted?.has(path) === true);
  if (!isManagedPath(path) || (isIntact && !isGeneratedFile(path, disk))) {
    return { kind: 'keep', path, ownership, reason: 'claimed' };
  }
  if (disk.kind === 'file' && (isIntact || baseline.overwrite.has(path))) {
    return { kind: 'delete', path, ownership, before: disk.hash };
  }
  return { kind: 'keep', path, ownership, reason: 'left-over' };
}

/** The hash of the file's content after the actions; undefined if it was not printed. */
function contentHash(
  { path }: GeneratedFile,
  printed: ReadonlyMap<string, Printed>,
  { disk, formatted }: Baseline,
): string | undefined {
  const content = printed.get(path);
  const entry = disk.get(path);
  if (formatted?.has(path) === true && entry?.kind === 'file') return entry.hash;
  return content?.hash;
}

function nextRecord(
  file: GeneratedFile,
  action: Action,
  { content, shape }: { readonly content: string | undefined; readonly shape: string | undefined },
  before: FileRecord | undefined,
): FileRecord | undefined {
  const { owner } = file;
  if (owner === 'once' && action.kind !== 'blocked') return { owner };
  if (action.kind === 'blocked' || owner === 'once' || content === undefined) return before;
  return { owner, source: inputHash(file), content, ...(shape === undefined ? {} : { shape }) };
}
