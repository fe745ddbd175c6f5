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

/** Statements and declarations of a generated file, which blank lines separate. */
const BETWEEN_STATEMENTS = /\n\n(?=[^\s}])/u;

/** Formats only the statements with lines that are too long: parsing the others takes most of the time of a build. */
async function formatStatements(text: string): Promise<string> {
  const statements = text.trimEnd().split(BETWEEN_STATEMENTS);
  const formatted = statements.map(async (statement) =>
    statement.split('\n').some(isTooWide) ? (await prettify(statement)).trimEnd() : statement,
  );
  return `${(await Promise.all(formatted)).join('\n\n')}\n`;
}

/** The final text of a file. TypeScript is printed as prettier would format it, except for lines that are too long. */
export async function formatText(text: string, format: Format): Promise<string> {
  switch (format) {
    case 'none':
      return text;
    case 'typescript':
      return text.split('\n').some(isTooWide) ? formatStatements(text) : text;
  }
}
