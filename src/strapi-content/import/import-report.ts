/** The report of an import: JSON for programs, tables for people. */
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import type { Problem } from './decisions.ts';
import type { Finding, FindingKind } from '../findings.ts';
import type { RowsChecksum } from './written-rows.ts';

/** Checksums of a table: of the rows converted from the archive, and of those in the database. */
export interface ComparedRows {
  readonly table: string;
  /** The columns with links, if this compares only those. */
  readonly columns: readonly string[];
  readonly source: RowsChecksum;
  readonly target: RowsChecksum;
  readonly isSame: boolean;
}

/** The number of entities of a type in the archive, and of entries on this server. */
export interface ComparedType {
  readonly uid: string;
  readonly type: string;
  readonly entities: number;
  readonly entries: number;
}

export interface ComparedFiles {
  /** Number of files in the archive, including formats of images. */
  readonly archive: number;
  readonly bytes: number;
  /** Number of files that rows reference, which are now in the storage. */
  readonly stored: number;
}

export interface ImportReport {
  readonly archive: { readonly version: string; readonly createdAt: string | undefined } & StrapiArchive['counts'];
  /** False for a dry run. */
  readonly isKept: boolean;
  readonly types: readonly ComparedType[];
  readonly rows: readonly ComparedRows[];
  readonly files: ComparedFiles;
  readonly findings: readonly Finding[];
  /** Values that need a decision. If there are any, nothing is imported. */
  readonly problems: readonly Problem[];
}

const TITLES: Readonly<Record<FindingKind, string>> = {
  left: 'Left behind',
  nothing: 'In the archive, but not visible in the exporting server',
  changed: 'Changed',
  invalid: 'Kept unchanged, although a request with it would be rejected',
};

const SHOWN = 5;

/** Aligns text in columns: the first to the left, the others to the right. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Removes control characters from a name of the archive, and truncates it. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{C} ]/gu, '�').slice(0, 300);
}

function findingLines({ kind, what, count, examples }: Finding): readonly string[] {
  const shown = kind === 'nothing' ? 1 : SHOWN;
  const more = count - Math.min(shown, examples.length);
  return [
    `  ${printable(what)}: ${count}`,
    ...examples.slice(0, shown).map((example) => `    ${printable(example)}`),
    ...(more > 0 && examples.length > 0 ? [`    and ${more} more`] : []),
  ];
}

export function findingsText(findings: readonly Finding[]): string {
  const kinds: readonly FindingKind[] = ['left', 'changed', 'invalid', 'nothing'];
  return kinds
    .flatMap((kind) => {
      const own = findings.filter((finding) => finding.kind === kind);
      return own.length === 0 ? [] : ['', `${TITLES[kind]}:`, ...own.flatMap(findingLines)];
    })
    .join('\n');
}

function hex({ rows, hash }: RowsChecksum): string {
  return `${rows} (${hash.toString(16).padStart(14, '0').slice(0, 8)})`;
}

/** The whole report as text. */
export function reportText({ types, rows, files, findings }: ImportReport): string {
  const typeTable = [
    ['type', 'in the archive', 'entries'],
    ...types.map(({ type, entities, entries }) => [type, String(entities), String(entries)]),
  ];
  const rowTable = [
    ['table', 'from the archive', 'in the database', ''],
    ...rows.map(({ table, columns: names, source, target, isSame }) => [
      names.length === 0 ? table : `${table}.${names.join(', ')}`,
      hex(source),
      hex(target),
      isSame ? 'same' : 'DIFFERENT',
    ]),
  ];
  return [
    ...columns(typeTable),
    '',
    ...columns(rowTable),
    '',
    `Files: ${files.stored} of the ${files.archive} in the archive (${files.bytes} bytes).`,
    findingsText(findings),
  ].join('\n');
}
