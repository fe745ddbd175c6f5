/** The result of a build for the terminal: the changes, file by file or by folder, and a summary line. */
import type { BuildReport } from '../build.ts';
import { type Action, isChange } from '../output/action.ts';
import { type Colors, plainColors } from '../diagnostics/render-text.ts';

/** Above this number of changes, they are grouped by folder. */
const MAX_LINES = 40;

/** The report as lines for stdout, without the diagnostics. Empty if the build stopped before there was a plan. */
export function renderReport(report: BuildReport, colors: Colors = plainColors): string {
  const { actions, outcome, out, migration } = report;
  if (out === undefined) return '';
  if (report.diff !== undefined) return colors === plainColors ? report.diff : coloredDiff(report.diff, colors);
  const changes = actions.filter(isChange);
  const total = actions.filter(({ kind }) => kind !== 'delete').length;
  switch (outcome) {
    case 'unchanged':
      return `${out === '.' ? 'The project' : out} is up to date: ${count(total, 'file')}, nothing to write.\n`;
    case 'stopped':
      return '';
    case 'planned':
    case 'written': {
      const added = migration === undefined ? '' : `, migration ${migration}`;
      const prefix = outcome === 'planned' ? 'would be ' : '';
      const summary = `${out === '.' ? '' : `${out}: `}${sumUp(changes, prefix)}${added}.`;
      return `${[...(changes.length > MAX_LINES ? byFolder(changes, colors) : byFile(changes, colors)), summary].join('\n')}\n`;
    }
  }
}

const WORDS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

const HUES = { create: 'green', update: 'yellow', delete: 'red' } as const;

function lineOf(kind: Action['kind'], place: string, colors: Colors): string {
  const hue = kind === 'create' || kind === 'update' || kind === 'delete' ? HUES[kind] : undefined;
  return `  ${hue === undefined ? kind : colors[hue](kind)}  ${place}`;
}

/**
 * Colors a diff as git does. Lines of a hunk may themselves begin with `--` or `++`, so the lengths in its header are
 * counted down.
 */
function coloredDiff(diff: string, colors: Colors): string {
  let [removed, added] = [0, 0];
  const colored = (line: string): string => {
    const head = /^@@ -\d+(?:,(?<old>\d+))? \+\d+(?:,(?<new>\d+))? @@/u.exec(line);
    if (head) {
      [removed, added] = [Number(head.groups?.['old'] ?? 1), Number(head.groups?.['new'] ?? 1)];
      return colors.cyan(line);
    }
    if (removed + added === 0) return /^(?:---|\+\+\+) /u.test(line) ? colors.bold(line) : line;
    if (line.startsWith('\\')) return line;
    if (!line.startsWith('+')) removed -= 1;
    if (!line.startsWith('-')) added -= 1;
    return line.startsWith('+') ? colors.green(line) : line.startsWith('-') ? colors.red(line) : line;
  };
  return diff.split('\n').map(colored).join('\n');
}

function byFile(changes: readonly Action[], colors: Colors): readonly string[] {
  return changes.map(({ kind, path }) => lineOf(kind, path, colors));
}

/** Groups changes by the first two folders of their path. A file that is alone in its group has a line of its own. */
function byFolder(changes: readonly Action[], colors: Colors): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { kind, path } of changes) {
    const folders = path.split('/').slice(0, -1);
    const key = lineOf(kind, folders.length === 0 ? path : `${folders.slice(0, 2).join('/')}/`, colors);
    places.set(key, [...(places.get(key) ?? []), lineOf(kind, path, colors)]);
  }
  return [...places].flatMap(([place, lines]) =>
    lines.length === 1 ? lines : [`${place} (${count(lines.length, 'file')})`],
  );
}

function sumUp(changes: readonly Action[], prefix: string): string {
  const parts = (['create', 'update', 'delete'] as const).flatMap((kind) => {
    const number = changes.filter((action) => action.kind === kind).length;
    return number === 0 ? [] : [`${count(number, 'file')} ${prefix}${WORDS[kind]}`];
  });
  return parts.length === 0 ? `only the manifest ${prefix === '' ? 'was' : 'would be'} updated` : parts.join(', ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
