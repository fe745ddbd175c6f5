/**
 * What the package.json of a project lacks. It is the team's own, and so keeps the scripts of the generator that has written it:
 * whoever builds with another generator is told of new ones.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type GeneratedFile, printFile } from '../files/generated-file.ts';
import { generatorFingerprint } from './generator-fingerprint.ts';
import type { ProjectState } from './read-project.ts';

const FILE = 'package.json';

/** Script or package → what runs, or its version. */
type Entries = Readonly<Record<string, string>>;

interface Package {
  readonly scripts?: Entries;
  readonly dependencies?: Entries;
}

/** Undefined for what is no package.json. */
function parse(text: string | undefined): Package | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function missing(own: Entries = {}, generated: Entries = {}): string[] {
  return Object.entries(generated).flatMap(([name, value]) =>
    Object.hasOwn(own, name) ? [] : [`${JSON.stringify(name)}: ${JSON.stringify(value)}`],
  );
}

/** One note for what is missing; none where the last build was by this generator, as it may have been taken out since. */
export async function packageGaps(
  files: readonly GeneratedFile[],
  { packageJson, manifest }: ProjectState,
): Promise<readonly Diagnostic[]> {
  const file = files.find(({ path }) => path === FILE);
  if (!file || manifest.kind !== 'read' || manifest.manifest.generator === generatorFingerprint()) return [];
  const own = parse(packageJson);
  const generated = parse(await printFile(file));
  if (!own || !generated) return [];
  const gaps = [...missing(own.scripts, generated.scripts), ...missing(own.dependencies, generated.dependencies)];
  if (gaps.length === 0) return [];
  return [
    {
      code: 'output/package-lacks',
      severity: 'info',
      message: `${FILE} is yours and stays as it is; this version of content-gen would write into it: ${gaps.join(', ')}`,
    },
  ];
}
