/** How files of spreadsheets are read, and what their cells become. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScalarAttribute } from '../model/model.ts';
import { convertCell } from './convert-cell.ts';
import { readTable } from './read-file.ts';

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

it('reads any cells with the lines in which their rows begin', async () => {
  const cell = fc.stringMatching(/^[a-zé "',;|\n-]{1,8}$/u).filter((text) => text.trim() !== '');
  const file = fc.record({
    rows: fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n'),
  });
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, delimiter, end }) => {
      const lines = [['a', 'b', 'c'], ...rows].map((row) => row.map(quoted).join(delimiter));
      const bytes = new TextEncoder().encode(`\uFEFF${lines.join(end)}${end}${end}`);
      const table = await readTable(new Blob([bytes]), { delimiter: delimiter as ',' });
      expect(table.header).toEqual(['a', 'b', 'c']);
      let line = 2;
      const expected = rows.map((cells) => {
        const row = { line, cells: [...cells] };
        line += 1 + cells.join('').split('\n').length - 1;
        return row;
      });
      expect(table.rows).toEqual(expected);
    }),
  );
});

it('finds out the encoding and what is between cells', async () => {
  const text = 'name;mark\r\nZoë;x\r\n';
  const encodings = [
    ['utf-8', new TextEncoder().encode(text)],
    ['windows-1252', Buffer.from(text, 'latin1')],
    ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['utf-16be', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ] as const;
  for (const [encoding, bytes] of encodings) {
    const table = await readTable(new Blob([new Uint8Array(bytes)]), {});
    expect([table.encoding, table.delimiter, table.header]).toEqual([encoding, ';', ['name', 'mark']]);
    expect(table.rows).toEqual([{ line: 2, cells: ['Zoë', 'x'] }]);
  }
  await expect(readTable(new Blob(['only,titles\n']), {})).rejects.toThrow('csv.file.empty');
  await expect(readTable(new Blob([`a\n${'1\n'.repeat(10_001)}`]), {})).rejects.toThrow('csv.file.tooManyRows');
});

it('converts cells', () => {
  const german = { decimal: ',', dates: 'dmy' } as const;
  const english = { decimal: '.', dates: 'mdy' } as const;
  const cases: readonly [string, string, typeof german | typeof english, unknown][] = [
    ['decimal', '1.234,50', german, '1234.50'],
    ['decimal', '1,234.5', english, 1234.5],
    ['integer', "'-5", english, -5],
    ['biginteger', '9007199254740993', english, '9007199254740993'],
    ['boolean', 'Ja', german, true],
    ['boolean', '0', english, false],
    ['date', '31.12.2026', german, '2026-12-31'],
    ['date', '12/31/2026', english, '2026-12-31'],
    ['date', '2026-1-2', german, '2026-01-02'],
    ['time', '8:30', german, '08:30:00.000'],
    ['datetime', '2026-12-31T08:30:00+02:00', german, '2026-12-31T06:30:00.000Z'],
    ['datetime', '31.12.2026 08:30Z', german, '2026-12-31T08:30:00.000Z'],
    ['json', '{"a":[1]}', german, { a: [1] }],
    ['enumeration', 'very loud', english, 'loud'],
    ['string', "'=1+1", english, '=1+1'],
    ['string', ' kept ', english, ' kept '],
  ];
  for (const [type, cell, settings, value] of cases) {
    const attribute = { type, enum: ['calm', 'loud'], enumLabels: { loud: 'Very loud' } } as unknown as ScalarAttribute;
    expect([type, cell, convertCell(cell, attribute, settings)]).toEqual([type, cell, value]);
  }
  for (const [type, cell] of [
    ['decimal', 'much'],
    ['decimal', '1,2,3'],
    ['boolean', 'maybe'],
    ['date', '2026-12'],
    ['time', 'noon'],
    ['datetime', 'yesterday'],
    ['json', '{'],
  ]) {
    expect(() => convertCell(cell ?? '', { type } as ScalarAttribute, german), cell).toThrow(/^csv\.cell\./u);
  }
});
