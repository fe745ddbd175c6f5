/** Formatting of generated code: prettier with fixed options. The team's prettier configuration is never read. */
import type { Options } from 'prettier';
import type { Format } from '../files/generated-file.ts';

const WIDTH = 100;
const OPTIONS: Options = { printWidth: WIDTH, singleQuote: true, trailingComma: 'all' };

/** Comment lines, which prettier never breaks. */
const COMMENT = /^\s*(?:\/\/|\/\*\*|\*)/;

/** Non-ASCII characters may be two columns wide, so such lines count as too wide. */
function isTooWide(line: string): boolean {
  if (line.length <= WIDTH / 2) return false;
  return (line.length > WIDTH || /[^ -~]/.test(line)) && !COMMENT.test(line);
}

/**
 * Formats TypeScript with prettier, which is loaded on first use. Throws if the code does not parse, which is a defect
 * of the emitter. Uses the faster of prettier's two TypeScript parsers; the output is the same.
 */
export async function prettify(text: string): Promise<string> {
  const { format } = await import('prettier');
  return format(text, { ...OPTIONS, parser: 'babel-ts' });
}

/**
 * The final text of a file. TypeScript is printed as prettier would format it, except for lines that are too long. So
 * most files need not be parsed again, which with hundreds of types would take longer than everything else.
 */
export async function formatText(text: string, format: Format): Promise<string> {
  switch (format) {
    case 'none':
      return text;
    case 'typescript':
      return text.split('\n').some(isTooWide) ? prettify(text) : text;
  }
}
