/** Which packages of a project's runtime are not installed: a change of the schema can require further ones. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The names of packages in `runtime/package.json` that are not in a `node_modules` where Node looks for them. */
export function missingPackages(folder: string): readonly string[] {
  const description = join(folder, 'runtime/package.json');
  // Yarn's Plug'n'Play has no folders to look for.
  if (!existsSync(description) || process.versions['pnp'] !== undefined) return [];
  const { dependencies = {} } = JSON.parse(readFileSync(description, 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  // By the folder, since a package needs no CommonJS entry that could be resolved.
  const places = createRequire(description).resolve.paths('package') ?? [];
  return Object.keys(dependencies).filter((name) => !places.some((place) => existsSync(join(place, name))));
}
