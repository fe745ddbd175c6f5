/** `runtime/`: the built runtime package, with the modules that the schema needs. `npm run build` of this repository makes it. */
import type { ContentModel } from '../../model/content-model.ts';
import type { FileOf, GeneratedFile } from '../../files/generated-file.ts';
import { EXTENSION_POINT, headerLine } from '../header.ts';
import { jsonFile, textFile } from '../managed-file.ts';
import { readTemplate } from '../read-templates.ts';
import { builtPackage, type RuntimePackage } from './runtime-package.ts';

const HEADER = headerLine('its package `@content-gen/runtime`');
const COMMAND = 'runtime/bin/command.js';

/** What a schema can use and another one not: an engine, files, values that are made of text, the pages of the documentation, or tools for agents. */
type Use = ContentModel['databases'][number] | 'media' | 'uid' | 'docs' | 'mcp';

/** Hashes of a file: of its content, and of its shape if it has one. */
interface BuiltFile {
  /** The module that it belongs to. */
  readonly module: string;
  readonly content: string;
  readonly shape?: string;
}

/** `templates/runtime/dist/contents.json`: what is built. */
interface Contents {
  /** Public entry → the module that it is: `.` → `index`. */
  readonly exports: Readonly<Record<string, string>>;
  /** `for`: what needs the module; absent: every project. `packages`: what it imports. */
  readonly modules: Readonly<Record<string, { readonly for?: readonly Use[]; readonly packages: readonly string[] }>>;
  /** Packages that only some of the projects with a module need. */
  readonly packages: Readonly<Record<string, { readonly for: readonly Use[] }>>;
  readonly files: Readonly<Record<string, BuiltFile>>;
}

function usesOf({ databases, contentTypes, components, docs, mcp }: ContentModel): ReadonlySet<Use> {
  const uses = new Set<Use>(databases);
  if (contentTypes.some(({ uid }) => uid === 'file')) uses.add('media');
  const attributes = [...contentTypes, ...components].flatMap((owner) => owner.attributes);
  if (attributes.some((attribute) => attribute.kind === 'scalar' && attribute.type === 'uid')) uses.add('uid');
  if (docs !== false) uses.add('docs');
  if (mcp) uses.add('mcp');
  return uses;
}

/** The content as its hash, so that it is only read when it is written. */
interface BuiltInput {
  readonly path: string;
  readonly content: string;
}

function printBuilt({ path }: BuiltInput): string {
  return readTemplate(`runtime/dist/${path}`);
}

/** A file that is as it was built. */
function builtFile(path: string, { content, shape }: BuiltFile): FileOf<BuiltInput> {
  return {
    path: `runtime/${path}`,
    owner: 'managed',
    format: 'none',
    input: { path, content },
    print: printBuilt,
    extensionPoint: EXTENSION_POINT,
    ...(shape === undefined ? {} : { shape }),
  };
}

/** An empty project to those that refer to it: once the package is ejected, there are sources to compile. */
const NOTHING_TO_COMPILE = { compilerOptions: { composite: true }, include: [], references: [] };

/** The package without its sources and tests, which are in its source maps. */
export function runtimeFiles(model: ContentModel): GeneratedFile[] {
  const {
    exports,
    modules,
    packages: optional,
    files,
  } = JSON.parse(readTemplate('runtime/dist/contents.json')) as Contents;
  const uses = usesOf(model);
  const isUsed = (name: string) => modules[name]?.for?.some((use) => uses.has(use)) ?? true;
  const isNeeded = (name: string) => optional[name]?.for.some((use) => uses.has(use)) ?? true;
  const imported = Object.entries(modules).flatMap(([name, module]) => (isUsed(name) ? module.packages : []));
  const packages = new Set(imported.filter(isNeeded));
  const description = JSON.parse(readTemplate('runtime/package.json')) as RuntimePackage;
  return [
    jsonFile(
      'runtime/package.json',
      'managed',
      builtPackage(description, { exports, packages, media: uses.has('media') }),
    ),
    jsonFile('runtime/tsconfig.json', 'managed', NOTHING_TO_COMPILE),
    textFile('runtime/README.md', 'managed', readTemplate('runtime/README.md')),
    textFile(COMMAND, 'managed', `${HEADER}\n${readTemplate(COMMAND)}`),
    ...Object.entries(files)
      .filter(([, { module }]) => isUsed(module))
      .map(([path, file]) => builtFile(path, file)),
  ];
}
