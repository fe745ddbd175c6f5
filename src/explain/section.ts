/** A part of an explanation. */
export interface Section {
  readonly title: string;
  /** Cells, which are aligned in columns; a row with one cell is a line of its own. */
  readonly rows: readonly (readonly string[])[];
}

/** As text: titles, and below them the rows, indented by two. */
export function renderSections(sections: readonly Section[], bold: (text: string) => string): string {
  return sections.map(({ title, rows }) => `${bold(title)}\n${renderRows(rows)}`).join('\n');
}

function renderRows(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows.filter(({ length }) => length > 1)) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const pad = (cell: string, index: number): string => cell.padEnd(widths[index] ?? 0);
  return rows.map((row) => `  ${(row.length > 1 ? row.map(pad) : row).join('  ').trimEnd()}\n`).join('');
}
