/** The look of generated code: prettier's, with options of our own. A configuration of the team's is never read. */
import type { Options } from 'prettier';
import type { Format } from '../files/generated-file.ts';

const WIDTH = 100;
const OPTIONS: Options = { printWidth: WIDTH, singleQuote: true, trailingComma: 'all' };

/** Comments are never broken into lines. */
const COMMENT = /^\s*(?:\/\/|\/\*\*|\*)/;

/** A character outside of ASCII takes up to two columns. */
function isTooWide(line: string): boolean {
  if (line.length <= WIDTH / 2) return false;
  return (line.length > WIDTH || /[^ -~]/.test(line)) && !COMMENT.test(line);
}

/**
 * Prettier's own word on TypeScript. It loads with the first text. Throws when the code does not parse: a defect of the emitter. Its
 * parser is the faster of two, whose trees are printed alike.
 */
export async function prettify(text: string): Promise<string> {
  const { format } = await import('prettier');
  return format(text, { ...OPTIONS, parser: 'babel-ts' });
}

/**
 * The text of a file in its final shape. TypeScript is printed as prettier would have it but for the lines that are too
 * long, so that most files need not be parsed again: with hundreds of types that would take longer than all else.
 */
export async function formatText(text: string, format: Format): Promise<string> {
  switch (format) {
    case 'none':
      return text;
    case 'typescript':
      return text.split('\n').some(isTooWide) ? prettify(text) : text;
  }
}
