/** What is wrong with a file that is imported. */
import { Refused } from '../../base/command-errors.ts';

/** Names the line, from 1, or the lines. */
export class FileFault extends Refused {
  constructor(lines: number | readonly [from: number, to: number], message: string) {
    const [from, to] = typeof lines === 'number' ? [lines, lines] : lines;
    super(`${from === to ? `Line ${from}` : `Lines ${from} to ${to}`} of the file: ${message}`);
    this.name = 'FileFault';
  }
}
