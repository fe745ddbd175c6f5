/** Finds out where two branches have each added migrations. */
import { isConflictMarker, type MigrationFiles, type SumLine } from '#contract/migration-sum.ts';
import { SUM_FILE } from './history-files.ts';
import { sealedMigrations } from './unsealed.ts';
import { hashAfter, parseSum } from './sum.ts';

/** Migrations by name, in their order. */
export interface Fork {
  /** What both branches have. */
  readonly common: readonly string[];
  /** What each of them added; that of the line that comes first in the sum is the first. */
  readonly branches: readonly (readonly string[])[];
}

interface Node {
  readonly name: string;
  readonly hash: string;
  readonly children: Node[];
}

/** All lines of the sum, of both sides where it holds the markers of a merge; each once. */
function allLines(text: string): readonly SumLine[] | undefined {
  const lines = parseSum(
    text
      .split(/\r?\n/u)
      .filter((line) => !isConflictMarker(line))
      .join('\n'),
  );
  if ('line' in lines) return undefined;
  return [...new Map(lines.map((line) => [`${line.name} ${line.hash}`, line])).values()];
}

/** Hangs each line below the one that its hash goes on from. */
function treeOf(lines: readonly SumLine[], migrations: ReadonlyMap<string, MigrationFiles>): Node {
  const root: Node = { name: '', hash: '', children: [] };
  const open = [root];
  const left = new Set(lines);
  for (let node = open.shift(); node; node = open.shift()) {
    for (const line of left) {
      const own = migrations.get(line.name);
      if (!own || hashAfter(node.hash, own.files) !== line.hash) continue;
      left.delete(line);
      const child = { ...line, children: [] };
      node.children.push(child);
      open.push(child);
    }
  }
  return root;
}

/** The names along the only way down from a node; none after a further fork. */
function wayDown(start: Node): readonly string[] {
  const names: string[] = [];
  for (let node: Node | undefined = start; node; node = node.children.length === 1 ? node.children[0] : undefined) {
    names.push(node.name);
  }
  return names;
}

/**
 * Where the history forks; undefined where it does not. Migrations that are in no line of the sum are a branch of their own: a
 * merge has dropped their lines.
 */
export function findFork(files: ReadonlyMap<string, string>): Fork | undefined {
  const lines = allLines(files.get(SUM_FILE) ?? '');
  if (!lines) return undefined;
  const found = sealedMigrations(files);
  const root = treeOf(lines, new Map(found.map((migration) => [migration.name, migration])));
  const common: string[] = [];
  let node = root;
  for (let [child] = node.children; node.children.length === 1 && child; [child] = node.children) {
    common.push(child.name);
    node = child;
  }
  const listed = new Set(lines.map(({ name }) => name));
  const unlisted = found.map(({ name }) => name).filter((name) => !listed.has(name));
  const branches = [...node.children.map(wayDown), ...(unlisted.length > 0 ? [unlisted] : [])];
  // Unlisted ones alone may follow what is there: they were taken out of the sum by hand, or never were in it.
  return branches.length > 1 || (unlisted.length > 0 && common.length > 0) ? { common, branches } : undefined;
}
