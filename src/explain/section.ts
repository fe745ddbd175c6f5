/** A titled part of an explanation. */
export interface Section {
  readonly title: string;
  /** The cells of each row, aligned in columns; a row with a single cell is a line of its own. */
  readonly rows: readonly (readonly string[])[];
}

/** Renders sections as text: titles, with the rows below indented by two spaces. */
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
