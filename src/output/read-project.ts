/** The state of a project before a build: its manifest, its migrations, and its files. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type DiskEntry, readDisk, readFolder, readProjectText } from './disk.ts';
import { Refusal } from './io-error.ts';
import { hasStagingFolder } from './journal.ts';
import { type FileRecord, isContentOf, type ManifestState, parseManifest, recordsOf } from './manifest.ts';
import { MANIFEST_FILE } from './project-path.ts';

export interface ProjectState {
  /** Absolute, without symbolic links. The folder need not exist. */
  readonly root: string;
  readonly exists: boolean;
  readonly manifest: ManifestState;
  readonly manifestText: string | undefined;
  /** Path within the project → text, for all files under `migrations/`. */
  readonly history: ReadonlyMap<string, string>;
  /**
   * Entries of every path that is to be written or in the manifest, and of everything under `migrations/`: see
   * `entryAt`.
   */
  readonly disk: ReadonlyMap<string, DiskEntry>;
  /** Path → text, for managed files that differ from what was written. */
  readonly edited: ReadonlyMap<string, string>;
  /** Path → text, for files owned by the team. */
  readonly ownTexts: ReadonlyMap<string, string>;
  /** Whether a build of this project is running or was killed. */
  readonly interrupted: boolean;
  /** Diagnostics about the manifest. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a folder contains a project written by a build. */
export function isProject(folder: string): boolean {
  return lstatSync(join(folder, MANIFEST_FILE), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Reads the state of a project. `paths`: files that are to be written, except migrations. Throws a `Refusal` if the
 * manifest is from a newer generator or not a regular file.
 */
export function readProject(root: string, paths: Iterable<string>): ProjectState {
  const manifestText = readProjectText(root, MANIFEST_FILE);
  const manifest = parseManifest(manifestText);
  if (manifestText === undefined && lstatSync(join(root, MANIFEST_FILE), { throwIfNoEntry: false })) {
    throw refusal('output/obstacle', `${MANIFEST_FILE} is not a regular file`, 'move or delete it, and build again');
  }
  if (manifest.kind === 'newer') {
    throw refusal(
      'output/newer-manifest',
      `${MANIFEST_FILE} was written by a newer version of content-gen`,
      'install that version or a later one',
    );
  }
  const migrations = readFolder(root, 'migrations');
  const records = recordsOf(manifest);
  const others = [...paths, ...records.keys()].filter((path) => !migrations.entries.has(path));
  const disk = new Map([...migrations.entries, ...readDisk(root, new Set(others))]);
  return {
    root,
    exists: lstatSync(root, { throwIfNoEntry: false }) !== undefined,
    manifest,
    manifestText,
    history: migrations.texts,
    disk,
    edited: textsOf(root, disk, records, isEdited),
    ownTexts: textsOf(root, disk, records, ({ owner }) => owner === 'once'),
    interrupted: hasStagingFolder(root),
    diagnostics: manifestDiagnostics(manifest),
  };
}

/** Whether a managed file was changed, be it by a person, a formatter or a merge. */
function isEdited(record: FileRecord, hash: string): boolean {
  return record.owner === 'managed' && !isContentOf(record, hash);
}

/** The texts of the recorded files for which `isWanted` returns true. */
function textsOf(
  root: string,
  disk: ReadonlyMap<string, DiskEntry>,
  records: ReadonlyMap<string, FileRecord>,
  isWanted: (record: FileRecord, hash: string) => boolean,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [path, record] of records) {
    const entry = disk.get(path);
    if (entry?.kind !== 'file' || !isWanted(record, entry.hash)) continue;
    const text = readProjectText(root, path);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

function refusal(code: string, message: string, hint: string): Refusal {
  return new Refusal({ code, severity: 'error', kind: 'refused', message, hint });
}

function manifestDiagnostics(manifest: ManifestState): readonly Diagnostic[] {
  switch (manifest.kind) {
    case 'unreadable':
      return [
        {
          code: 'output/unreadable-manifest',
          severity: 'warning',
          message: `${MANIFEST_FILE} can't be read, so no files are deleted, and only files with unchanged content are recognized as generated`,
          hint: `if the build is refused, restore it from version control`,
        },
      ];
    case 'merged':
      return [
        {
          code: 'output/merged-manifest',
          severity: 'info',
          message: `${MANIFEST_FILE} contained merge conflict markers; both sides were read, and the file is rewritten`,
        },
      ];
    case 'absent':
    case 'newer':
    case 'read':
      return [];
  }
}
