/** The refused rows as a CSV file. */
import type { Refusal } from './build-rows.ts';
import { csvCell } from '../list/csv.ts';

export function refusalsCsv(refusals: readonly Refusal[], titles: readonly [string, string, string]): string {
  const lines = refusals.map(({ line, column, text }) => [line, column, text].map(csvCell).join(','));
  return [titles.map(csvCell).join(','), ...lines, ''].join('\r\n');
}
