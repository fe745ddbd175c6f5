/** Detects whether files have changed. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Identifies the current state of the files. In folders, only files for which `isOne` returns true count. */
export function fileStamps(paths: readonly string[], isOne: (path: string) => boolean): string {
  return paths.flatMap((path) => stampsOf(path, isOne)).join('\n');
}

function stampsOf(path: string, isOne: (path: string) => boolean): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [`${path} ${stats.ino} ${stats.size} ${stats.mtimeMs}`];
  const inside = readdirSync(path).map((name) => join(path, name));
  return inside.filter(isOne).flatMap((file) => stampsOf(file, isOne));
}
