/** Permissions: a list for each role, with every `*` expanded. */
import { AUTHENTICATED, BUILT_IN_ROLES, PUBLIC } from '#contract/policy/built-in-roles.ts';
import { SUBJECTS } from '#contract/policy/permission-name.ts';
import { SCHEMA_ENDPOINTS } from '#contract/routes/built-in.ts';
import { entryActions } from '#contract/routes/entries.ts';
import { reportError, reportHint, reportWarning } from '../diagnostics/report.ts';
import { nearest, suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Located, PermissionDefinition, RoleDefinition } from '../schema/definition.ts';
import { roleNamePattern } from '../schema/name-patterns.ts';
import type { RolePermissions } from './content-model.ts';
import type { ModelContext } from './model-context.ts';
import { roleNameTaken } from './reserved-names.ts';

const everything = '*';

/** The subject for the admin panel. */
const adminPanel = 'admin';

/** The action of reading drafts, for types that have them. */
const preview = 'preview';

/** The subjects that a permission refers to, with their actions: one type or endpoint, or every content type for `*`. */
function subjectsOf({ types }: ModelContext, subject: string): readonly (readonly [string, readonly string[]])[] {
  if (subject === everything) return [...types].map(([uid, type]) => [uid, entryActions(type)]);
  const type = types.get(subject);
  if (type !== undefined) return [[subject, entryActions(type)]];
  const actions = SCHEMA_ENDPOINTS.get(subject);
  return actions === undefined ? [] : [[subject, actions]];
}

function unknownSubject({ schema, report }: ModelContext, { value, location }: Located<string>): void {
  const byPlural = schema.contentTypes.find((type) => type.pluralName?.value === value)?.uid;
  const names = [...schema.contentTypes.map((type) => type.uid), ...SCHEMA_ENDPOINTS.keys()];
  const near = byPlural ?? SUBJECTS.get(value);
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

function isAboutTypes({ types }: ModelContext, subject: string): boolean {
  return subject === everything || types.has(subject);
}

/** Only a warning: a schema remains valid when the drafts of a type are disabled. */
function noDrafts({ report }: ModelContext, subject: string, { location }: Located<string>): void {
  reportWarning(report, {
    code: 'permission/no-drafts',
    message: `${subject === everything ? 'no content type' : named(subject)} has ${subject === everything ? 'drafts' : 'no drafts'}, so \`preview\` has no effect`,
    location,
    hint: 'to enable drafts, add `draftAndPublish: true` to the type',
  });
}

/** Only a warning: a schema remains valid when the admin panel is disabled. */
function noAdminPanel({ report }: ModelContext, { location }: Located<string>): readonly string[] {
  reportWarning(report, {
    code: 'permission/admin',
    message: 'the permission has no effect, because the admin panel is turned off with `admin: false`',
    location,
    hint: 'remove the permission or `admin: false`',
  });
  return [];
}

function resolvePermission(context: ModelContext, { subject, actions }: PermissionDefinition): readonly string[] {
  if (subject.value === adminPanel && context.schema.admin?.value === false) return noAdminPanel(context, subject);
  const subjects = subjectsOf(context, subject.value);
  if (subjects.length === 0 && subject.value !== everything) unknownSubject(context, subject);
  const possible = [...new Set(subjects.flatMap(([, names]) => names))];
  if (actions === everything) {
    return subjects.flatMap(([name, all]) => all.map((action) => `${name}.${action}`));
  }
  for (const action of actions) {
    if (subjects.length === 0 || possible.includes(action.value)) continue;
    if (action.value === preview && isAboutTypes(context, subject.value)) noDrafts(context, subject.value, action);
    else unknownAction(context, subject.value, action, possible);
  }
  return subjects.flatMap(([name, all]) =>
    actions.filter(({ value }) => all.includes(value)).map(({ value }) => `${name}.${value}`),
  );
}

/** Signed-in users may read and change their own account. */
function ownAccount(role: string): readonly string[] {
  return role === PUBLIC ? [] : ['users.me'];
}

function checkRoleName({ report }: ModelContext, { value, location }: Located<string>): void {
  const isValid = roleNamePattern.test(value);
  const taken = isValid ? roleNameTaken(value) : undefined;
  if (!isValid || taken !== undefined) {
    reportError(report, {
      code: 'permission/role',
      message: `${named(value)} can't be the name of a role${taken === undefined ? '' : `: ${taken}`}`,
      location,
      hint: isValid
        ? 'choose another name'
        : 'use at most 63 lower-case letters, digits, `-` and `_`, starting with a letter',
    });
  }
  const near = BUILT_IN_ROLES.includes(value) ? undefined : nearest(value, BUILT_IN_ROLES);
  if (near === undefined) return;
  reportWarning(report, {
    code: 'permission/role',
    message: `${named(value)} is a separate role with a name similar to ${named(near)}`,
    location,
    hint: `did you mean ${named(near)}?`,
  });
}

/** Visitors can't use the admin panel, which requires a session: neither by a permission of their own nor by an inherited one. */
function checkAdminPanel(context: ModelContext, roles: Roles): void {
  const definition = roles.get(PUBLIC)?.definition;
  if (!definition) return;
  const own = definition.permissions.filter(({ subject }) => subject.value === adminPanel);
  const panel = `${adminPanel}.access`;
  const bases = definition.extends.filter(({ value }) =>
    permissionsOf(context, roles, value, [PUBLIC]).includes(panel),
  );
  for (const { location, base } of [
    ...own.map(({ subject }) => ({ location: subject.location, base: undefined })),
    ...bases.map(({ value, location }) => ({ location, base: value })),
  ]) {
    const how = base === undefined ? '' : `, but ${named(PUBLIC)} inherits it from ${named(base)}`;
    reportError(context.report, {
      code: 'permission/admin',
      message: `visitors can't use the admin panel, which requires an account${how}`,
      location,
      hint: `grant it to a separate role: \`editor: { ${adminPanel}: [access] }\``,
    });
  }
}

/** A role with its own permissions and its definition, which lists the roles it extends. */
interface Role {
  readonly definition: RoleDefinition;
  readonly own: readonly string[];
}

function resolveRole(context: ModelContext, definition: RoleDefinition): Role {
  const { role, permissions } = definition;
  checkRoleName(context, role);
  const own = permissions.flatMap((permission) => resolvePermission(context, permission));
  return { definition, own: [...ownAccount(role.value), ...own] };
}

type Roles = ReadonlyMap<string, Role>;

/** Reports bases of a role that do not exist. */
function checkBases({ report }: ModelContext, roles: Roles, { definition }: Role): void {
  const names = [...new Set([...BUILT_IN_ROLES, ...roles.keys()])].filter((name) => name !== definition.role.value);
  for (const { value, location } of definition.extends) {
    if (names.includes(value) || value === definition.role.value) continue;
    reportError(report, {
      code: 'permission/unknown-role',
      message: `${named(definition.role.value)} extends ${named(value)}, which is not a role`,
      location,
      hint: suggestion(value, names),
    });
  }
}

/** All permissions of a role. `path`: the roles that led here. A cycle is reported once, at its first member by name. */
function permissionsOf(
  context: ModelContext,
  roles: Roles,
  name: string,
  path: readonly string[] = [],
): readonly string[] {
  const role = roles.get(name);
  if (!role) return BUILT_IN_ROLES.includes(name) ? ownAccount(name) : [];
  const cycle = [...path, name];
  const inherited = role.definition.extends.flatMap(({ value, location }) => {
    if (!cycle.includes(value)) return permissionsOf(context, roles, value, cycle);
    if (value === cycle[0] && cycle.every((member) => value <= member)) {
      reportCycle(context, [...cycle, value], location);
    }
    return [];
  });
  return [...new Set([...role.own, ...inherited])].sort();
}

function reportCycle({ report }: ModelContext, cycle: readonly string[], location: SourceLocation): void {
  reportError(report, {
    code: 'permission/role-cycle',
    message: `roles extend each other in a cycle: ${cycle.map(named).join(' → ')}`,
    location,
    hint: 'remove one of these `extends`',
  });
}

const MAX_NAMED = 5;

/** Reports permissions that visitors have and signed-in users don't, which is probably unintended. */
function checkVisitors({ schema, report }: ModelContext, resolved: readonly RolePermissions[]): void {
  const of = (name: string) => resolved.find(({ role }) => role === name)?.permissions ?? [];
  const given = new Set(of(AUTHENTICATED));
  const lacking = of(PUBLIC).filter((permission) => !given.has(permission));
  const written = (name: string) => schema.roles.find(({ role }) => role.value === name)?.role;
  const place = written(AUTHENTICATED) ?? written(PUBLIC);
  if (lacking.length === 0 || place === undefined) return;
  const more = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : '';
  reportHint(report, {
    code: 'permission/visitors-may-more',
    message: `visitors have permissions that signed-in users lack: ${lacking.slice(0, MAX_NAMED).join(', ')}${more}`,
    location: place.location,
    hint: `to grant them to users too, write \`${AUTHENTICATED}: { extends: ${PUBLIC} }\``,
  });
}

function usesFiles({ types, components }: ModelContext): boolean {
  const owners = [...types.values(), ...components.values()];
  return owners.some(({ attributes }) => attributes.some(({ kind }) => kind === 'media'));
}

/** Reports roles that have everything of `*`, but may not even see files: `*` are the content types, and `upload` is none. */
function checkFiles(context: ModelContext, resolved: readonly RolePermissions[]): void {
  if (!usesFiles(context)) return;
  for (const { role, permissions } of context.schema.roles) {
    const all = permissions.find(({ subject, actions }) => subject.value === everything && actions === everything);
    const own = resolved.find((one) => one.role === role.value)?.permissions ?? [];
    if (!all || own.some((permission) => permission.startsWith('upload.'))) continue;
    reportHint(context.report, {
      code: 'permission/no-files',
      message: `${named(role.value)} may do everything with all content types, but nothing with files: they are not among those of \`'*'\``,
      location: all.subject.location,
      hint: "to permit uploading and reading files, add `upload: '*'`",
    });
  }
}

/** All roles: `public` and `authenticated` first, even if the schema omits them. Problems are reported. */
export function resolvePermissions(context: ModelContext): readonly RolePermissions[] {
  const roles = new Map(context.schema.roles.map((role) => [role.role.value, resolveRole(context, role)]));
  for (const role of roles.values()) checkBases(context, roles, role);
  const further = [...roles.keys()].filter((role) => !BUILT_IN_ROLES.includes(role)).sort();
  const resolved = [...BUILT_IN_ROLES, ...further].map((role) => ({
    role,
    permissions: permissionsOf(context, roles, role),
  }));
  checkAdminPanel(context, roles);
  checkVisitors(context, resolved);
  checkFiles(context, resolved);
  return resolved;
}
