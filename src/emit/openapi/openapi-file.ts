/** `openapi.json`: an OpenAPI 3.1 document of all routes of a server. */
import { adminCookie, previewUrlOf } from '#contract/admin.ts';
import { FAILURE_RESPONSES, pathsOf } from '#contract/routes/openapi.ts';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import { entryRoutes } from '#contract/routes/entries.ts';
import type { RouteGroup } from '#contract/routes/built-in.ts';
import { lookUp } from '../model-index.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { FileOf } from '../../files/generated-file.ts';
import { permissionName } from '#contract/policy/permission-name.ts';
import { plainRule } from '#contract/policy/describe-rule.ts';
import { EXTENSION_POINT } from '../header.ts';
import { builtInGroups, ownTypes, publicPermissions, rolesWithRules, routedType } from '../routed-types.ts';
import { componentsOf } from './components.ts';
import type { Described } from './described.ts';
import { foldComponents } from './fold-components.ts';
import { introduction } from './introduction.ts';
import { foldable } from './foldable.ts';
import { namesOf } from './names.ts';
import { parametersOf } from './parameters.ts';
import { printCompactJson } from '../../files/print-compact-json.ts';
import { shapeOf } from './shapes.ts';

function tagsOf(model: Described, groups: readonly RouteGroup[]): readonly JsonSchema[] {
  const own = ownTypes(model).map(
    ({ uid, description }) => [uid, description ?? `The content type \`${uid}\`.`] as const,
  );
  const builtIn = groups.flatMap(({ tags }) => Object.entries(tags));
  return [...new Map([...own, ...builtIn])].map(([name, description]) => ({ name, description }));
}

function adminSession(name: string): JsonSchema {
  return {
    type: 'apiKey',
    in: 'cookie',
    name: adminCookie(name),
    description:
      'The session of the admin panel, for all requests. It requires the header `X-Admin-Session: 1`, and no `Authorization`. Behind TLS, its name starts with `__Host-`.',
  };
}

/** Permission → role → its rule. */
function rulesByPermission(roles: Described['rules'] = []): ReadonlyMap<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  for (const { role, rules = {} } of roles) {
    for (const [permission, rule] of Object.entries(rules)) {
      found.set(permission, { ...found.get(permission), [role]: plainRule(rule) });
    }
  }
  return found;
}

/** The permissions of changing entries of a type. */
function changingActions(uid: string): readonly string[] {
  return ['update', 'draft', 'delete'].map((action) => permissionName(uid, action));
}

function print(model: Described): string {
  const groups = builtInGroups(model);
  const names = namesOf(model);
  const { format } = model.api;
  const scope = { names, shape: shapeOf(model.api) };
  const routes = [
    ...ownTypes(model).flatMap((type) => entryRoutes(routedType(type, lookUp(names, type.uid), format))),
    ...groups.flatMap((group) => group.routes),
  ];
  const documents = new Set(format === 'v5' ? ownTypes(model).map(({ uid }) => uid) : []);
  const keys = new Map(model.contentTypes.flatMap(({ uid, key }) => (key === undefined ? [] : [[uid, key] as const])));
  const rules = rulesByPermission(model.rules);
  const ruled = new Set(
    ownTypes(model).flatMap(({ uid }) => (changingActions(uid).some((name) => rules.has(name)) ? [uid] : [])),
  );
  const marked = new Set(model.marks ? ownTypes(model).map(({ uid }) => uid) : []);
  const paths = pathsOf(routes, {
    format,
    open: new Set(model.open),
    rules,
    parametersOf: parametersOf(scope, { documents, keys, ruled, marked }),
  });
  const all = { ...componentsOf(model, groups, scope), responses: FAILURE_RESPONSES };
  const { components, folded } = foldComponents(paths, all, foldable(scope));
  const document = {
    openapi: '3.1.0',
    info: {
      title: model.name,
      version: '1.0.0',
      description: introduction(format),
      contact: { name: model.name },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    tags: tagsOf(model, groups),
    paths,
    components: {
      ...components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the `jwt` of a signed-in user.' },
        ...(model.admin && { adminSession: adminSession(model.name) }),
      },
    },
  };
  return printCompactJson(document, folded);
}

/** `openapi.json`. Covers all types with routes of their own. */
export function openapiFile(model: ContentModel): FileOf<Described> {
  const { name, locales, contentTypes, components } = model;
  // The settings of the admin panel have no other effect on requests than that previews ask for marks.
  const types = contentTypes.map((type) => ({ ...type, admin: undefined }));
  const admin = model.admin === undefined ? undefined : true;
  const { format, entryMeta, defaultPageSize, maxPageSize } = model.api;
  const api = { ...(format && { format }), ...(entryMeta && { entryMeta }), defaultPageSize, maxPageSize };
  const open = publicPermissions(model);
  const rules = rolesWithRules(model);
  const ruled = rules.length > 0 ? { rules } : {};
  const { audit, events } = model;
  const input: Described = {
    name,
    locales,
    open,
    ...ruled,
    api,
    admin,
    ...(model.costs && { costs: true as const }),
    audit,
    events,
    ...(model.webhooks && { webhooks: true as const }),
    ...(model.jobs && { jobs: true as const }),
    ...(previewUrlOf(model.admin) !== undefined && { marks: true as const }),
    contentTypes: types,
    components,
  };
  return { path: 'openapi.json', owner: 'managed', format: 'none', input, print, extensionPoint: EXTENSION_POINT };
}
