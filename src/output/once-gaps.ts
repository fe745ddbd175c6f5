/**
 * Finds gaps in the team's own files. They keep the content that they were first generated with; when another generator
 * version builds the project, it reports what it would write now.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type GeneratedFile, printFile } from '../files/generated-file.ts';
import { normalizeLineEnds } from '../files/hash.ts';
import { formatText } from './format.ts';
import { generatorFingerprint } from './generator-fingerprint.ts';
import { RUNTIME_PACKAGE } from './project-runtime.ts';
import type { ProjectState } from './read-project.ts';

/** Script or package name → command or version. */
type Entries = Readonly<Record<string, string>>;

interface Package {
  readonly scripts?: Entries;
  readonly dependencies?: Entries;
  readonly devDependencies?: Entries;
  readonly optionalDependencies?: Entries;
}

/** Extracts the named parts of a file: parts missing from the team's file are its gaps. */
type Parts = (text: string) => ReadonlyMap<string, string>;

/** Empty if the text is not a package.json. */
function packageParts(text: string): ReadonlyMap<string, string> {
  try {
    const found = (JSON.parse(text) ?? {}) as Package;
    // Whichever group a team has moved a package to.
    const packages = { ...found.dependencies, ...found.optionalDependencies, ...found.devDependencies };
    const named = (group: string, entries: Entries) =>
      Object.entries(entries).map(([name, value]) => {
        const text = `"${name}": ${JSON.stringify(value)}`;
        // An installed runtime has the version that the code was generated for.
        return [name === RUNTIME_PACKAGE && value !== '*' ? text : `${group} ${name}`, text] as const;
      });
    return new Map([...named('script', found.scripts ?? {}), ...named('package', packages)]);
  } catch {
    return new Map();
  }
}

function matchesOf(text: string, pattern: RegExp): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(pattern)].map(([, name = '']) => [name, name]));
}

/** Names of settings, including those commented out. */
const settingParts: Parts = (text) => matchesOf(text, /^#? ?([A-Z][A-Z0-9_]+)=/gmu);
const lineParts: Parts = (text) => matchesOf(text, /^(?!#)(\S.*)$/gmu);

const PARTS: Readonly<Record<string, Parts>> = {
  'package.json': packageParts,
  '.env.example': settingParts,
  '.gitignore': lineParts,
  '.prettierignore': lineParts,
  '.dockerignore': lineParts,
  '.gitattributes': lineParts,
};

interface Comparison {
  readonly path: string;
  /** The missing parts, if known; empty if the file only differs. */
  readonly lacks: readonly string[];
}

const GENERATED = /\b(?:dist|src)\/(?<module>generated\/[\w./-]+)\.[jt]s\b/u;

/** Whether a script runs generated code that no longer exists. */
function isOutdated(text: string, written: ReadonlySet<string>): boolean {
  const module = GENERATED.exec(text)?.groups?.['module'];
  return module !== undefined && !written.has(`src/${module}.ts`);
}

async function compare(
  file: GeneratedFile,
  own: string,
  written: ReadonlySet<string>,
): Promise<Comparison | undefined> {
  const { path } = file;
  const today = normalizeLineEnds(await formatText(await printFile(file), file.format));
  if (own === today) return undefined;
  const parts = PARTS[path];
  if (!parts) return { path, lacks: [] };
  const [has, wanted] = [parts(own), parts(today)];
  // If no parts can be read, none can be reported missing.
  const isPresent = (name: string): boolean => has.has(name) && !isOutdated(has.get(name) ?? '', written);
  const lacks = has.size === 0 ? [] : [...wanted].flatMap(([name, text]) => (isPresent(name) ? [] : [text]));
  return lacks.length > 0 ? { path, lacks } : undefined;
}

function lacking({ path, lacks }: Comparison): Diagnostic {
  return {
    code: 'output/yours-lacks',
    severity: 'info',
    message: `${path} belongs to you and was not changed, but lacks what this version of content-gen would write: ${lacks.join(', ')}`,
  };
}

function differing(paths: readonly string[]): Diagnostic {
  return {
    code: 'output/yours-differs',
    severity: 'info',
    message: `files that belong to you differ from what this version of content-gen would write: ${paths.join(', ')}`,
    hint: `to see the differences of one, without writing anything, build with --diff --overwrite ${paths[0] ?? ''}`,
  };
}

/**
 * Notes on missing parts and differing files, except extension points, which are meant to differ. None if this generator wrote
 * the project last, as the team may have changed its files since.
 */
export async function onceGaps(
  files: readonly GeneratedFile[],
  { ownTexts, manifest }: Pick<ProjectState, 'ownTexts' | 'manifest'>,
): Promise<readonly Diagnostic[]> {
  if (manifest.kind !== 'read' || manifest.manifest.generator === generatorFingerprint()) return [];
  const compared: Comparison[] = [];
  const written = new Set(files.map(({ path }) => path));
  const extensionPoints = new Set(files.map(({ extensionPoint }) => extensionPoint));
  for (const file of files) {
    const own = ownTexts.get(file.path);
    const isCompared = file.owner === 'once' && own !== undefined && !extensionPoints.has(file.path);
    const found = isCompared ? await compare(file, own, written) : undefined;
    if (found) compared.push(found);
  }
  const differs = compared.filter(({ lacks }) => lacks.length === 0).map(({ path }) => path);
  return [
    ...compared.filter(({ lacks }) => lacks.length > 0).map(lacking),
    ...(differs.length > 0 ? [differing(differs)] : []),
  ];
}
