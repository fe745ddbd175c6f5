/** Merges the definitions of several files. Duplicate definitions are errors that show both locations. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { type Report, reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ApiDefinition, Located, PermissionDefinition, RoleDefinition, SchemaDefinition } from './definition.ts';
import { apiOptions } from './root-options.ts';

/** The definitions of one file. */
export interface FileDefinition extends Omit<SchemaDefinition, 'name'> {
  readonly name: Located<string> | undefined;
}

function reportTwice(report: Report, what: string, location: SourceLocation, first: SourceLocation): void {
  reportError(report, {
    code: 'schema/defined-twice',
    message: `${what} is defined twice`,
    location,
    related: [{ message: 'it is first defined here', location: first }],
    hint: 'remove one of them',
  });
}

/** The items of all files, unique by key. Duplicates are reported. */
function mergeBy<T>(
  report: Report,
  items: readonly T[],
  keyOf: (item: T) => string,
  locationOf: (item: T) => SourceLocation,
  what: (key: string) => string,
): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) {
    const first = byKey.get(keyOf(item));
    if (first === undefined) byKey.set(keyOf(item), item);
    else reportTwice(report, what(keyOf(item)), locationOf(item), locationOf(first));
  }
  return [...byKey.values()];
}

/** The value of a setting, which only one file may define. */
function mergeOne<T>(
  report: Report,
  values: readonly (Located<T> | undefined)[],
  what: string,
): Located<T> | undefined {
  const [first] = mergeBy(
    report,
    values.filter((value) => value !== undefined),
    () => what,
    (value) => value.location,
    () => `\`${what}\``,
  );
  return first;
}

function mergeApi(report: Report, apis: readonly ApiDefinition[]): ApiDefinition {
  const names = Object.keys(apiOptions) as (keyof ApiDefinition)[];
  const values = names.map((name) => [
    name,
    mergeOne<unknown>(
      report,
      apis.map((api) => api[name]),
      name,
    ),
  ]);
  return Object.fromEntries(values) as ApiDefinition;
}

/** Several files may add to a role, but not for the same type. */
function mergeRoles(report: Report, roles: readonly RoleDefinition[]): readonly RoleDefinition[] {
  interface Merged {
    readonly role: Located<string>;
    readonly bases: Located<string>[];
    readonly permissions: PermissionDefinition[];
  }
  const byRole = new Map<string, Merged>();
  for (const { role, extends: bases, permissions } of roles) {
    const merged = byRole.get(role.value) ?? { role, bases: [], permissions: [] };
    byRole.set(role.value, merged);
    merged.bases.push(...bases);
    merged.permissions.push(...permissions);
  }
  return [...byRole.values()].map(({ role, bases, permissions }) => ({
    role,
    extends: mergeBy(
      report,
      bases,
      ({ value }) => value,
      ({ location }) => location,
      (base) => `\`extends: ${base}\` of the role ${named(role.value)}`,
    ),
    permissions: mergeBy(
      report,
      permissions,
      (permission) => permission.subject.value,
      (permission) => permission.subject.location,
      (subject) => `the permission of the role ${named(role.value)} for ${named(subject)}`,
    ),
  }));
}

/** Merges `files`, in order. `fallbackName` is the project's name if no file sets one. */
export function mergeFiles(
  files: readonly FileDefinition[],
  fallbackName: Located<string>,
  report: Report,
): SchemaDefinition {
  return {
    name:
      mergeOne(
        report,
        files.map((file) => file.name),
        'name',
      ) ?? fallbackName,
    databases: mergeOne(
      report,
      files.map((file) => file.databases),
      'databases',
    ),
    locales: mergeOne(
      report,
      files.map((file) => file.locales),
      'locales',
    ),
    api: mergeApi(
      report,
      files.map((file) => file.api),
    ),
    docs: mergeOne(
      report,
      files.map((file) => file.docs),
      'docs',
    ),
    mcp: mergeOne(
      report,
      files.map((file) => file.mcp),
      'mcp',
    ),
    graphql: mergeOne(
      report,
      files.map((file) => file.graphql),
      'graphql',
    ),
    admin: mergeOne(
      report,
      files.map((file) => file.admin),
      'admin',
    ),
    webhooks: mergeOne(
      report,
      files.map((file) => file.webhooks),
      'webhooks',
    ),
    uploads: mergeOne(
      report,
      files.map((file) => file.uploads),
      'uploads',
    ),
    cacheTags: mergeOne(
      report,
      files.map((file) => file.cacheTags),
      'cacheTags',
    ),
    costs: mergeOne(
      report,
      files.map((file) => file.costs),
      'costs',
    ),
    audit: mergeOne(
      report,
      files.map((file) => file.audit),
      'audit',
    ),
    events: mergeOne(
      report,
      files.map((file) => file.events),
      'events',
    ),
    jobs: mergeOne(
      report,
      files.map((file) => file.jobs),
      'jobs',
    ),
    schedules: mergeOne(
      report,
      files.map((file) => file.schedules),
      'schedules',
    ),
    runtime: mergeOne(
      report,
      files.map((file) => file.runtime),
      'runtime',
    ),
    contentTypes: mergeBy(
      report,
      files.flatMap((file) => file.contentTypes),
      (type) => type.uid,
      (type) => type.location,
      (uid) => `the content type ${named(uid)}`,
    ),
    components: mergeBy(
      report,
      files.flatMap((file) => file.components),
      (component) => component.uid,
      (component) => component.location,
      (uid) => `the component ${named(uid)}`,
    ),
    users: mergeBy(
      report,
      files.flatMap((file) => file.users ?? []),
      () => 'users',
      (users) => users.location,
      () => '`users`',
    )[0],
    roles: mergeRoles(
      report,
      files.flatMap((file) => file.roles),
    ),
  };
}
