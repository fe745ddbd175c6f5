/** `runtime/package.json`. */
import type { Json } from '../json.ts';
import { readTemplate } from '../read-templates.ts';

type Versions = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, Json>>;

/** The command of an installed runtime. */
export const SERVER_COMMAND = 'content-gen-server';

export interface RuntimePackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Versions;
  /** Public entry → condition → file. */
  readonly exports: Readonly<Record<string, Versions>>;
  readonly dependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly devDependencies: Versions;
}

/** Type packages that the runtime's own types refer to; those packages come without types. */
const TYPES = ['@types/koa'];

/** `templates/runtime/package.json`. */
export function readRuntimePackage(): RuntimePackage {
  return JSON.parse(readTemplate('runtime/package.json')) as RuntimePackage;
}

function only(versions: Versions, isWanted: (name: string) => boolean): Versions {
  return Object.fromEntries(Object.entries(versions).filter(([name]) => isWanted(name)));
}

function identity({ name, version, description, license, engines }: RuntimePackage) {
  return { name, version, description, license, private: true, type: 'module', engines };
}

/** The package.json of the built package. `packages`: its imports; `exports`: public entry → module. */
export function builtPackage(
  source: RuntimePackage,
  {
    exports,
    packages,
    media,
  }: { readonly exports: Versions; readonly packages: ReadonlySet<string>; readonly media: boolean },
): Members {
  const { peerDependencies, peerDependenciesMeta } = source;
  // sharp only resizes images.
  const isUsed = ([name]: readonly [string, unknown]): boolean => name !== 'sharp' || media;
  return {
    ...identity(source),
    exports: Object.fromEntries(
      Object.entries(exports).map(([entry, module]) => [
        entry,
        { types: `./lib/${module}.d.ts`, default: `./lib/${module}.js` },
      ]),
    ),
    dependencies: only(source.dependencies, (dependency) => packages.has(dependency)),
    peerDependencies: Object.fromEntries(Object.entries(peerDependencies).filter(isUsed)),
    peerDependenciesMeta: Object.fromEntries(Object.entries(peerDependenciesMeta).filter(isUsed)),
    devDependencies: only(source.devDependencies, (dependency) => TYPES.includes(dependency)),
  };
}

/** The package.json of the package that is published and installed, with the command of projects. */
export function publicPackage({ private: _isPrivate, ...description }: Members): Json {
  return { ...description, bin: { [SERVER_COMMAND]: 'bin/command.js' } };
}

/**
 * The package.json of the ejected package. `tools`: what its build and tests need, if the source's own package.json
 * doesn't list it.
 */
export function ejectedPackage(source: RuntimePackage, tools: Versions): Json {
  const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta } = source;
  const missing = only(tools, (name) => !(name in dependencies));
  return {
    ...identity(source),
    exports: source.exports,
    scripts: { build: 'tsc -b', test: 'vitest run' },
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
    devDependencies: Object.fromEntries(
      Object.entries({ ...devDependencies, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}
