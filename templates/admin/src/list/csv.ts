/** The columns of a list as CSV (RFC 4180). */
import type { RaRecord } from 'react-admin';
import type { MediaFile } from '../media/media-file.ts';
import type { ContentType } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { textOf } from '../model/text-of.ts';
import { flat, populatedCount, populatedMany, populatedOne, refOf } from '../rest/rest-entry.ts';

/**
 * Where text would begin a formula in a spreadsheet: at its start, and after a character at which spreadsheets begin another cell.
 * In many languages that is a semicolon, and quotes don't prevent it, since the whole line is one cell up to there. Full-width
 * characters count like the others.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** A value as a cell. */
export function csvCell(value: unknown): string {
  const text = textOf(value);
  const safe = typeof value === 'number' ? text : text.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function valueOf(record: RaRecord, name: string, type: ContentType, index: ModelIndex): unknown {
  const value: unknown = record[name];
  const attribute = type.attributes[name];
  if (attribute?.type === 'media') {
    const files = [populatedOne(value) ?? [], populatedMany(value)].flat();
    return files.map((file) => (flat(file) as unknown as MediaFile).url).join(' ');
  }
  if (attribute?.type !== 'relation') return value;
  const one = populatedOne(value);
  return populatedCount(value) ?? (one ? refOf(one, index.type(attribute.target)).title : null);
}

/** The CSV text; `id` is its first column. */
export function csvOf(
  records: readonly RaRecord[],
  type: ContentType,
  columns: readonly string[],
  index: ModelIndex,
): string {
  const names = ['id', ...columns.filter((name) => name !== 'id')];
  const lines = records.map((record) => names.map((name) => csvCell(valueOf(record, name, type, index))).join(','));
  return [names.map(csvCell).join(','), ...lines, ''].join('\r\n');
}
