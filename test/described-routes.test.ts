/** What a project says of its routes is what the table of routes says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FormatName } from '../templates/runtime/src/contract/api-settings.ts';
import type { ContentTypes } from '../templates/runtime/src/contract/content-type.ts';
import { usedGroups } from '../templates/runtime/src/contract/routes/built-in.ts';
import { entryRoutes, UNNAMED } from '../templates/runtime/src/contract/routes/entries.ts';
import { descriptorsOf, trees } from './support/fixtures.ts';

const BUILT_IN = ['user', 'user-role', 'file'];

/** `GET /api/articles`, of all rows of the table that a server with these types has. */
function tableOf({ types }: ContentTypes, format: FormatName | undefined): readonly string[] {
  const all = Object.values(types);
  const own = all.filter(({ uid }) => !BUILT_IN.includes(uid));
  const routes = own.flatMap((type) =>
    entryRoutes({
      ...type,
      segment: type.kind === 'singleType' ? type.singularName : type.pluralName,
      media: [],
      ...(format && { format }),
      names: UNNAMED,
    }),
  );
  const builtIn = usedGroups(new Set(all.map(({ uid }) => uid)), new Set(['admin'])).flatMap((group) => group.routes);
  return [...routes, ...builtIn].map(({ method, path }) => `${method} ${path}`);
}

describe.each([...trees])('of %s', (_, tree) => {
  const read = (path: string) => JSON.parse(readFileSync(join(tree, path), 'utf8'));

  it('openapi.json and the permission matrix have the routes of the table', async () => {
    const format = /\bformat: '(v[45])'/u.exec(readFileSync(join(tree, 'src/generated/app.ts'), 'utf8'))?.[1];
    const lines = tableOf(await descriptorsOf(tree), format as FormatName | undefined);
    const described = Object.entries<object>(read('openapi.json').paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const matrix: readonly { method: string; path: string }[] = read('test/permission-matrix.json').routes;
    expect(described.sort()).toEqual([...lines].sort());
    expect(matrix.map(({ method, path }) => `${method} ${path}`)).toEqual(lines);
  });
});
