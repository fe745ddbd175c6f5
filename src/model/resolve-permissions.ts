/** Permissions: each role's list of what it may do, every `*` written out. */
import { reportError, reportWarning } from '../diagnostics/report.ts';
import { nearest, suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition, Located, PermissionDefinition, RoleDefinition } from '../schema/definition.ts';
import type { RolePermissions } from './content-model.ts';
import type { ModelContext } from './model-context.ts';
import { builtInEndpoints } from './reserved-names.ts';

const everything = '*';
const builtInRoles = ['public', 'authenticated'];
const roleName = /^[a-z][a-z0-9_-]{0,62}$/;

const collectionActions = ['find', 'findOne', 'create', 'update', 'delete'] as const;
const singleActions = ['find', 'update', 'delete'] as const;

const endpointActions: Readonly<Record<(typeof builtInEndpoints)[number], readonly string[]>> = {
  upload: ['upload', 'find', 'findOne', 'destroy'],
  locales: ['find'],
  users: ['find', 'findOne', 'create', 'update', 'destroy', 'me'],
  roles: ['find', 'findOne', 'create', 'update', 'destroy'],
};

function actionsOfType({ kind }: ContentTypeDefinition): readonly string[] {
  return kind === 'singleType' ? singleActions : collectionActions;
}

/** By subject, which actions there are: of one type or endpoint, or for `*` of every content type. */
function subjectsOf({ types }: ModelContext, subject: string): readonly (readonly [string, readonly string[]])[] {
  if (subject === everything) return [...types].map(([uid, type]) => [uid, actionsOfType(type)]);
  const type = types.get(subject);
  if (type !== undefined) return [[subject, actionsOfType(type)]];
  const endpoint = builtInEndpoints.find((name) => name === subject);
  return endpoint === undefined ? [] : [[endpoint, endpointActions[endpoint]]];
}

function unknownSubject({ schema, report }: ModelContext, { value, location }: Located<string>): void {
  const byPlural = schema.contentTypes.find((type) => type.pluralName?.value === value)?.uid;
  const names = [...schema.contentTypes.map((type) => type.uid), ...builtInEndpoints];
  const builtIn = value === 'user' ? 'users' : value === 'file' ? 'upload' : undefined;
  const near = byPlural ?? builtIn;
  reportError(report, {
    code: 'permission/unknown-type',
    message: `${named(value)} is neither a content type nor a built-in endpoint`,
    location,
    hint: near === undefined ? suggestion(value, names) : `did you mean ${named(near)}?`,
  });
}

function unknownAction(
  { report }: ModelContext,
  subject: string,
  action: Located<string>,
  actions: readonly string[],
): void {
  const what = subject === everything ? 'content types have' : `${named(subject)} has`;
  reportError(report, {
    code: 'permission/unknown-action',
    message: `${what} no action ${named(action.value)}`,
    location: action.location,
    hint: suggestion(action.value, actions),
  });
}

function resolvePermission(context: ModelContext, { subject, actions }: PermissionDefinition): readonly string[] {
  const subjects = subjectsOf(context, subject.value);
  if (subjects.length === 0 && subject.value !== everything) unknownSubject(context, subject);
  const possible = [...new Set(subjects.flatMap(([, names]) => names))];
  if (actions === everything) {
    return subjects.flatMap(([name, all]) => all.map((action) => `${name}.${action}`));
  }
  for (const action of actions) {
    if (subjects.length > 0 && !possible.includes(action.value)) {
      unknownAction(context, subject.value, action, possible);
    }
  }
  return subjects.flatMap(([name, all]) =>
    actions.filter(({ value }) => all.includes(value)).map(({ value }) => `${name}.${value}`),
  );
}

/** Who signs in sees and changes the own account; nobody else is signed in. */
function ownAccount(role: string): readonly string[] {
  return role === 'public' ? [] : ['users.me'];
}

function resolveRole(context: ModelContext, { role, permissions }: RoleDefinition): RolePermissions {
  if (!roleName.test(role.value)) {
    reportError(context.report, {
      code: 'permission/role',
      message: `${named(role.value)} can't be the name of a role`,
      location: role.location,
      hint: 'it begins with a letter from a to z and has at most 63 of those, digits, `-` and `_`',
    });
  }
  const near = builtInRoles.includes(role.value) ? undefined : nearest(role.value, builtInRoles);
  if (near !== undefined) {
    reportWarning(context.report, {
      code: 'permission/role',
      message: `${named(role.value)} is a role of its own, and nearly called ${named(near)}`,
      location: role.location,
      hint: `did you mean ${named(near)}?`,
    });
  }
  const resolved = permissions.flatMap((permission) => resolvePermission(context, permission));
  return { role: role.value, permissions: [...new Set([...ownAccount(role.value), ...resolved])].sort() };
}

/** All roles: `public` and `authenticated` first, whether they were written or not. Typing errors are reported. */
export function resolvePermissions(context: ModelContext): readonly RolePermissions[] {
  const resolved = new Map(context.schema.roles.map((role) => [role.role.value, resolveRole(context, role)]));
  const further = [...resolved.keys()].filter((role) => !builtInRoles.includes(role)).sort();
  return [...builtInRoles, ...further].map((role) => resolved.get(role) ?? { role, permissions: ownAccount(role) });
}
