/** `test/permission-matrix.json`: the status of each route for each role, derived from the schema. */
import type { FormatName } from '#contract/api-settings.ts';
import { entryRoutes, UNNAMED } from '#contract/routes/entries.ts';
import { hasId, type Route } from '#contract/routes/route.ts';
import { permissionName } from '#contract/policy/permission-name.ts';
import { actionsFor } from '#contract/policy/rights.ts';
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { plainRule } from '#contract/policy/describe-rule.ts';
import type { Json } from '../json.ts';
import { compactJsonFile } from '../managed-file.ts';
import { builtInGroups, ownTypes, rolesWithRules, routedType } from '../routed-types.ts';

/** A request, the permissions it requires, and the status it then responds with (`probe`). */
interface Row extends Pick<Route, 'method' | 'path' | 'probe'> {
  readonly needs: readonly string[];
  /** Is enough without them. */
  readonly or: string | undefined;
}

const FORBIDDEN = 403;

function rowOf({ method, path, permission, orPermission, probe }: Route): Row {
  return { method, path, probe, needs: permission === undefined ? [] : [permission], or: orPermission };
}

/** The same routes with drafts: reading drafts requires a further permission. */
function previewsOf({ uid }: ContentType, routes: readonly Route[], format: FormatName | undefined): readonly Row[] {
  const reads = routes.filter((route) => route.touches?.includes('drafts') && !hasId(route));
  const further = actionsFor('drafts').map((action) => permissionName(uid, action));
  return reads.map(rowOf).map((row) => ({
    ...row,
    path: `${row.path}?${format === 'v5' ? 'status=draft' : 'publicationState=preview'}`,
    needs: [...row.needs, ...further],
  }));
}

/** The permission matrix, one line per route and role, so that each change of access is one line of a diff. */
export function permissionMatrixFile(model: ContentModel): GeneratedFile {
  const { format } = model.api;
  const types = ownTypes(model).map((type) => ({ type, routes: entryRoutes(routedType(type, UNNAMED, format)) }));
  const builtIn = builtInGroups(model).flatMap(({ routes }) => routes);
  const given = model.roles.map(({ role, permissions }) => [role, new Set(permissions)] as const);
  const isPermitted = ({ needs, or }: Row, permissions: ReadonlySet<string>): boolean =>
    needs.every((name) => permissions.has(name)) || (or !== undefined && permissions.has(or));
  const line = (row: Row): Json => ({
    method: row.method,
    path: row.path,
    answers: Object.fromEntries(
      given.map(([role, permissions]) => [role, isPermitted(row, permissions) ? row.probe : FORBIDDEN]),
    ),
  });
  const rules = rolesWithRules(model).flatMap(({ role, rules: ofRole }) =>
    Object.entries(ofRole).map(([permission, rule]) => ({ role, permission, ...plainRule(rule) })),
  );
  return compactJsonFile('test/permission-matrix.json', {
    roles: model.roles.map(({ role }) => role),
    routes: [...types.flatMap(({ routes }) => routes), ...builtIn].map(rowOf).map(line),
    previews: types.flatMap(({ type, routes }) => previewsOf(type, routes, format)).map(line),
    ...(rules.length > 0 && { rules }),
  });
}
