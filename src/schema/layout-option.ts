/** `layout` of `admin` of a type: the rows and tabs of its form. */
import { panelText, type PanelText, panelTextSchema } from './panel-text.ts';
import type { Located } from './located.ts';
import { type Reader, readFields, type Reading, readingOf, readList, readText, reportType } from './reader.ts';
import { type Shape, text } from './shape.ts';

export type WrittenRow = readonly Located<string>[];

/** `tab` is undefined for rows outside of tabs. */
export interface WrittenTab {
  readonly tab: PanelText | undefined;
  readonly rows: readonly WrittenRow[];
}

const ROW = 'an attribute, or a list of attributes that stand side by side';
const EXAMPLE = 'for example layout: [[title, slug], { tab: SEO, fields: [seo] }]';

function readRow(reader: Reader, reading: Reading): WrittenRow | undefined {
  if (reading.node.kind === 'list') {
    if (reading.node.items.length === 0) return reportType(reader, reading, 'at least one attribute');
    return readList(reader, reading, (item) => readText(reader, item));
  }
  if (reading.node.kind === 'map') return reportType(reader, reading, ROW, EXAMPLE);
  const name = readText(reader, reading);
  return name && [name];
}

function readTab(reader: Reader, reading: Reading): WrittenTab | undefined {
  const fields = readFields(reader, reading, ['tab', 'fields'], { example: EXAMPLE });
  if (fields === undefined) return undefined;
  const within = readingOf(fields, 'fields');
  // A misspelled key is reported already.
  if (reading.node.kind === 'map' && reading.node.entries.length > fields.size) return undefined;
  if (!fields.has('tab') || within === undefined) return reportType(reader, reading, '`tab` and `fields`', EXAMPLE);
  const tab = panelText.read(reader, fields, 'tab');
  const rows = readList(reader, within, (item) => readRow(reader, item));
  return tab && rows && { tab, rows };
}

const rowSchema = { anyOf: [text.jsonSchema, { type: 'array', items: text.jsonSchema, minItems: 1 }] };

export const layout: Shape<readonly WrittenTab[]> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return (
      reading &&
      readList(reader, reading, (item): WrittenTab | undefined => {
        if (item.node.kind === 'map') return readTab(reader, item);
        const row = readRow(reader, item);
        return row && { tab: undefined, rows: [row] };
      })
    );
  },
  written: 'list of rows and tabs',
  jsonSchema: {
    type: 'array',
    items: {
      anyOf: [
        ...rowSchema.anyOf,
        {
          type: 'object',
          additionalProperties: false,
          required: ['tab', 'fields'],
          properties: { tab: panelTextSchema, fields: { type: 'array', items: rowSchema } },
        },
      ],
    },
  },
};
