/** Compares the generated router of a content type with the table of routes. */
import type Router from '@koa/router';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { SUBJECTS } from '../contract/policy/permission-name.ts';
import { furtherRoutes, type MountedRoute, mountedRoutes } from '../contract/routes/entries.ts';

/** `GET /api/articles/{id}` */
function lineOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:(\w+)/gu, '{$1}').replace(/\/$/u, '')}`;
}

/** The routes of a content type in the table. */
export function routesOf(type: ContentType): readonly MountedRoute[] {
  return mountedRoutes({
    ...type,
    segment: type.kind === 'singleType' ? type.uid : type.pluralName,
  });
}

/** The types with routes of their own: those of the schema. */
export function routedTypes({ types }: ContentTypes): readonly ContentType[] {
  return Object.values(types).filter(({ uid }) => !SUBJECTS.has(uid));
}

/** The routes of all types of the schema. */
export function schemaRoutes(types: ContentTypes): readonly MountedRoute[] {
  return routedTypes(types).flatMap((type) => [
    ...routesOf(type),
    ...furtherRoutes({ ...type, segment: type.kind === 'singleType' ? type.uid : type.pluralName }),
  ]);
}

/** The routes of a router, without HEAD, which the router adds to GET by itself. */
function linesOf(router: Router): string[] {
  return router.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => lineOf(method, String(path))),
  );
}

/** Throws if the router of a type doesn't have exactly the routes of the table. The message names those that differ. */
export function checkRouter(type: ContentType, router: Router): void {
  const expected = new Set(routesOf(type).map(({ method, path }) => lineOf(method, path)));
  const mounted = new Set(linesOf(router));
  const lacking = [...expected].filter((line) => !mounted.has(line));
  const further = [...mounted].filter((line) => !expected.has(line));
  if (lacking.length === 0 && further.length === 0) return;
  const problems = [
    ...lacking.map((line) => `${line} has no handler`),
    ...further.map((line) => `${line} is not a route of the schema`),
  ];
  throw new Error(`The generated routes do not match the schema: generate the project again.\n${problems.join('\n')}`);
}
