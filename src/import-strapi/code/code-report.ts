/** The report about translated code: file by file what became of it. */
import type { Mark } from './rewriter.ts';

/** The file with the report, beside the extensions. */
export const CODE_REPORT = 'from-strapi.md';

export interface FileReport {
  /** In the project of Strapi. */
  readonly file: string;
  /** In the new project; undefined if the file became nothing. */
  readonly module: string | undefined;
  readonly outcome: 'translated' | 'partly' | 'left' | 'generated';
  readonly marks: readonly Mark[];
  readonly notes: readonly string[];
}

const TITLES = [
  ['translated', 'Translated'],
  ['partly', 'Translated in part: the marked places do not compile until you write them'],
  ['left', 'Left: nothing was written for these'],
] as const;

function markLine({ line, code, reason }: Mark): string {
  const quoted = code === '' ? '' : `\`${code.replaceAll('`', "'")}\`: `;
  return `  - line ${line}: ${quoted}${reason}`;
}

function lines({ file, module, marks, notes }: FileReport): readonly string[] {
  return [
    `- ${file}${module === undefined ? '' : ` → src/extensions/${module}`}`,
    ...marks.map(markLine),
    ...notes.map((note) => `  - ${note}`),
  ];
}

/** Markdown. `decisions` concern the whole; `packages` are to be installed. */
export function renderCodeReport(
  files: readonly FileReport[],
  decisions: readonly string[],
  packages: readonly string[],
): string {
  const parts: string[] = ['# Code that was translated from Strapi', ''];
  if (decisions.length > 0) parts.push('## Decisions for you to make', '', ...decisions.map((one) => `- ${one}`), '');
  if (packages.length > 0) parts.push('## Packages to install', '', `    npm install ${packages.join(' ')}`, '');
  for (const [outcome, title] of TITLES) {
    const own = files.filter((one) => one.outcome === outcome);
    if (own.length > 0) parts.push(`## ${title}`, '', ...own.flatMap(lines), '');
  }
  return parts.join('\n');
}

/** In a line: `12 translated, 3 in part (7 places), 2 left`. */
export function summaryOf(files: readonly FileReport[]): string {
  const count = (outcome: FileReport['outcome']): number => files.filter((one) => one.outcome === outcome).length;
  const places = files.reduce((sum, { marks }) => sum + marks.length, 0);
  return `${count('translated')} translated, ${count('partly')} in part (${places} marked ${places === 1 ? 'place' : 'places'}), ${count('left')} left`;
}
