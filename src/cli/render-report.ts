/** The result of a build for people: what changed, file by file while that is readable, and one line that sums up. */
import type { BuildReport } from '../build.ts';
import type { Action } from '../output/action.ts';
import { isChange } from '../output/action.ts';

/** More changes than this are summed up by folder. */
const MOST_LINES = 40;

/** The report as lines for stdout; the diagnostics are not among them. Empty where the build stopped before it had a plan. */
export function renderReport(report: BuildReport): string {
  const { actions, outcome, out, migration } = report;
  if (out === undefined) return '';
  if (report.diff !== undefined) return report.diff;
  const changes = actions.filter(isChange);
  const total = actions.filter(({ kind }) => kind !== 'delete').length;
  switch (outcome) {
    case 'unchanged':
      return `${out} is up to date: ${count(total, 'file')}, nothing to write.\n`;
    case 'stopped':
      return '';
    case 'planned':
    case 'written': {
      const added = migration === undefined ? '' : `, migration ${migration}`;
      const prefix = outcome === 'planned' ? 'would be ' : '';
      const summary = `${out}: ${sumUp(changes, prefix)}${added}.`;
      return `${[...(changes.length > MOST_LINES ? byFolder(changes) : byFile(changes)), summary].join('\n')}\n`;
    }
  }
}

const WORDS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

function byFile(changes: readonly Action[]): readonly string[] {
  return changes.map(({ kind, path }) => `  ${kind}  ${path}`);
}

/** The first two folders of a path are enough to know where it is. A file that is alone there has a line of its own. */
function byFolder(changes: readonly Action[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { kind, path } of changes) {
    const folders = path.split('/').slice(0, -1);
    const key = `  ${kind}  ${folders.length === 0 ? path : `${folders.slice(0, 2).join('/')}/`}`;
    places.set(key, [...(places.get(key) ?? []), `  ${kind}  ${path}`]);
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
