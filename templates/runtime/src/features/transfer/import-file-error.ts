/** An error in an import file. */
import { CommandRefused } from '../../base/command-errors.ts';

/** Its message names the line or range of lines, counted from 1. */
export class ImportFileError extends CommandRefused {
  constructor(lines: number | readonly [from: number, to: number], message: string) {
    const [from, to] = typeof lines === 'number' ? [lines, lines] : lines;
    super(`${from === to ? `Line ${from}` : `Lines ${from} to ${to}`} of the file: ${message}`);
    this.name = 'ImportFileError';
  }
}
