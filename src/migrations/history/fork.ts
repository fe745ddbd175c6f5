/** Finds the point where the history forks: two branches that were merged have each added migrations. */
import { isConflictMarker, type MigrationFiles, type SumLine } from '#contract/migration-sum.ts';
import { SUM_FILE } from './history-files.ts';
import { sealedMigrations } from './unsealed.ts';
import { hashAfter, parseSum } from './sum.ts';

/** A fork of the history; migrations by name, in order. */
export interface Fork {
  /** The migrations before the fork. */
  readonly common: readonly string[];
  /** The migrations of each branch, in the order of their first lines in the sum. */
  readonly branches: readonly (readonly string[])[];
}

interface Node {
  readonly name: string;
  readonly hash: string;
  readonly children: Node[];
}

/** All distinct lines of the sum, from both sides if it has merge markers; undefined if a line is malformed. */
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

/** Builds a tree: the parent of each line is the one whose hash it continues. */
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

/** The names on the path down from a node, up to the next fork. */
function wayDown(start: Node): readonly string[] {
  const names: string[] = [];
  for (let node: Node | undefined = start; node; node = node.children.length === 1 ? node.children[0] : undefined) {
    names.push(node.name);
  }
  return names;
}

/**
 * Returns the fork of the history; undefined if there is none. Migrations without a line in the sum count as a branch, as a merge
 * may have dropped their lines.
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
  // Unlisted migrations may also be the only branch: their lines were removed by hand, or never existed.
  return branches.length > 1 || (unlisted.length > 0 && common.length > 0) ? { common, branches } : undefined;
}
