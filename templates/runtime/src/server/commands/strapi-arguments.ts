/** The arguments of `npm run data -- import-strapi`. */
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';

/** The default file of decisions. */
const DECISIONS = 'strapi-decisions.json';

/** The parsed arguments. */
export interface StrapiArguments {
  readonly archive: string;
  readonly keyFile: string | undefined;
  readonly prefer: 'published' | 'draft';
  readonly strict: boolean;
  readonly decisions: string;
  readonly report: string | undefined;
  readonly isDryRun: boolean;
  readonly allowDrops: boolean;
}

/** Parses the arguments after `import-strapi`. Throws UsageError. */
export function parseStrapiArguments(args: readonly string[]): StrapiArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'key-file': { type: 'string' },
      prefer: { type: 'string', default: 'published' },
      strict: { type: 'boolean', default: false },
      decisions: { type: 'string', default: DECISIONS },
      report: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'allow-drops': { type: 'boolean', default: false },
    },
  });
  const [archive, ...rest] = positionals;
  if (archive === undefined || archive === '') throw new UsageError('The name of an archive is missing');
  if (rest.length > 0) throw new UsageError(`Expected one archive; unexpected: ${rest.join(' ')}`);
  const { prefer } = values;
  if (prefer !== 'published' && prefer !== 'draft') throw new UsageError('--prefer must be published or draft');
  return {
    archive,
    keyFile: values['key-file'],
    prefer,
    strict: values.strict,
    decisions: values.decisions,
    report: values.report,
    isDryRun: values['dry-run'],
    allowDrops: values['allow-drops'],
  };
}
