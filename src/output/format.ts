/** The look of generated code: prettier, with options of our own. A configuration of the team's is never read. */
import type { Options } from 'prettier';
import type { Format } from './generated-file.ts';

const OPTIONS: Options = { printWidth: 100, singleQuote: true, trailingComma: 'all' };

/** Formats one file. Prettier loads with the first file that needs it. Throws when the code does not parse: a defect of the emitter. */
export async function formatText(text: string, format: Format): Promise<string> {
  switch (format) {
    case 'none':
      return text;
    case 'typescript': {
      const { format: prettify } = await import('prettier');
      // What the parser `typescript` gives, in two thirds of its time.
      return prettify(text, { ...OPTIONS, parser: 'babel-ts' });
    }
  }
}
