/** `runtime/package.json`. */
import type { Json } from '../json.ts';

type Versions = Readonly<Record<string, string>>;

/** `templates/runtime/package.json`. */
export interface RuntimePackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Versions;
  readonly dependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly devDependencies: Versions;
}

/** Packages whose types the runtime's own refer to, and that come without them. */
const TYPES = ['@types/koa'];

function only(versions: Versions, isWanted: (name: string) => boolean): Versions {
  return Object.fromEntries(Object.entries(versions).filter(([name]) => isWanted(name)));
}

/** Of the built package. `packages`: those that it imports; `exports`: public entry → module. */
export function builtPackage(
  source: RuntimePackage,
  {
    exports,
    packages,
    media,
  }: { readonly exports: Versions; readonly packages: ReadonlySet<string>; readonly media: boolean },
): Json {
  const { name, version, description, license, engines, peerDependencies, peerDependenciesMeta } = source;
  return {
    name,
    version,
    description,
    license,
    private: true,
    type: 'module',
    engines,
    exports: Object.fromEntries(
      Object.entries(exports).map(([entry, module]) => [
        entry,
        { types: `./lib/${module}.d.ts`, default: `./lib/${module}.js` },
      ]),
    ),
    dependencies: only(source.dependencies, (dependency) => packages.has(dependency)),
    // Makes the smaller copies of images.
    ...(media ? { peerDependencies, peerDependenciesMeta } : {}),
    devDependencies: only(source.devDependencies, (dependency) => TYPES.includes(dependency)),
  };
}
