/** Holds the generated router of a content type against the table of routes. */
import type Router from '@koa/router';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { SUBJECTS } from '../contract/policy/permission-name.ts';
import { type MountedRoute, mountedRoutes } from '../contract/routes/entries.ts';

/** `GET /api/articles/{id}` */
function lineOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:(\w+)/gu, '{$1}').replace(/\/$/u, '')}`;
}

export function routesOf(type: ContentType): readonly MountedRoute[] {
  return mountedRoutes({ ...type, segment: type.kind === 'singleType' ? type.uid : type.pluralName });
}

/** The types that have routes of their own: all of the schema. */
export function routedTypes({ types }: ContentTypes): readonly ContentType[] {
  return Object.values(types).filter(({ uid }) => !SUBJECTS.has(uid));
}

/** The routes of all types of the schema. */
export function schemaRoutes(types: ContentTypes): readonly MountedRoute[] {
  return routedTypes(types).flatMap(routesOf);
}

/** HEAD is every router's own, beside GET. */
function linesOf(router: Router): string[] {
  return router.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => lineOf(method, String(path))),
  );
}

/** Throws, naming the routes, where the router of a type has others than those of the table. */
export function checkRouter(type: ContentType, router: Router): void {
  const expected = new Set(routesOf(type).map(({ method, path }) => lineOf(method, path)));
  const mounted = new Set(linesOf(router));
  const lacking = [...expected].filter((line) => !mounted.has(line));
  const further = [...mounted].filter((line) => !expected.has(line));
  if (lacking.length === 0 && further.length === 0) return;
  const problems = [
    ...lacking.map((line) => `${line} has no handler`),
    ...further.map((line) => `${line} is no route of the schema`),
  ];
  throw new Error(
    `The generated routes are not those of the schema: generate the project again.\n${problems.join('\n')}`,
  );
}
