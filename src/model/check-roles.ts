/** Checks of roles: their names, and what they probably should have. */
import { AUTHENTICATED, BUILT_IN_ROLES, PUBLIC } from '#contract/policy/built-in-roles.ts';
import { reportError, reportHint, reportWarning } from '../diagnostics/report.ts';
import { nearest } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Located } from '../schema/definition.ts';
import { roleNamePattern } from '../schema/name-patterns.ts';
import type { RolePermissions } from './content-model.ts';
import type { ModelContext } from './model-context.ts';
import { roleNameTaken } from './reserved-names.ts';

const everything = '*';

/** Reports names that roles can't have, or that look like those of built-in roles. */
export function checkRoleName({ report }: ModelContext, { value, location }: Located<string>): void {
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

const MAX_NAMED = 5;

/** Reports permissions that visitors have and signed-in users don't, which is probably unintended. */
export function checkVisitors({ schema, report }: ModelContext, resolved: readonly RolePermissions[]): void {
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
export function checkFiles(context: ModelContext, resolved: readonly RolePermissions[]): void {
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
