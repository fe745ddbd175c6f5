import { isScalar } from 'yaml';
import type { Located, PermissionDefinition, RoleDefinition } from './definition.ts';
import { readEntries, readList, readText, reportType } from './reader.ts';
import type { Entry, Reader } from './reader.ts';

function readPermission(reader: Reader, entry: Entry): PermissionDefinition | undefined {
  const subject: Located<string> = { value: entry.key, location: entry.location };
  const what = `the actions of ${'`'}${entry.key}${'`'}`;
  if (isScalar(entry.value) && typeof entry.value.value === 'string') {
    if (entry.value.value === '*') return { subject, actions: '*' };
    return reportType(
      reader,
      entry.value,
      entry.location,
      what,
      "a list of actions, or '*' for all of them",
      `a list has brackets: [${entry.value.value}]`,
    );
  }
  const actions = readList(reader, entry.value, entry.location, what, (item, location) =>
    readText(reader, item, location, 'an action'),
  );
  return actions && { subject, actions };
}

function readRole(reader: Reader, entry: Entry): RoleDefinition {
  const entries = readEntries(reader, entry.value, entry.location, `the role \`${entry.key}\``) ?? [];
  return {
    role: { value: entry.key, location: entry.location },
    permissions: entries.map((item) => readPermission(reader, item)).filter((item) => item !== undefined),
  };
}

/** Reads the map `permissions`: by role, then by type or endpoint. */
export function readPermissions(reader: Reader, entry: Entry | undefined): readonly RoleDefinition[] {
  if (entry === undefined) return [];
  const entries = readEntries(reader, entry.value, entry.location, '`permissions`') ?? [];
  return entries.map((role) => readRole(reader, role));
}
