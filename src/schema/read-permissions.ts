import { named } from '../diagnostics/visible-text.ts';
import type { Located, PermissionDefinition, RoleDefinition } from './definition.ts';
import { type Entry, readEntries, type Reader, type Reading, readList, readText, reportType } from './reader.ts';

function readPermission(reader: Reader, { key, value: node, location }: Entry): PermissionDefinition | undefined {
  const subject = { value: key, location };
  const reading: Reading = { node, location, what: `the permission for ${named(key)}` };
  if (node.kind === 'scalar' && node.value === '*') return { subject, actions: '*' };
  if (node.kind === 'scalar') {
    const hint = node.source === '' ? undefined : `write a list in brackets: [${node.source}]`;
    return reportType(reader, reading, "a list of actions, or '*' for all of them", hint);
  }
  const actions = readList(reader, reading, (item) => readText(reader, { ...item, what: 'an action' }));
  return actions && { subject, actions };
}

/** `extends: public`: the name of another role. */
function readExtends(reader: Reader, { value: node, location }: Entry): Located<string> | undefined {
  return readText(reader, { node, location, what: 'the role in `extends`' });
}

function readRole(reader: Reader, { key, value: node, location }: Entry): RoleDefinition {
  const entries = readEntries(reader, { node, location, what: `the role ${named(key)}` }) ?? [];
  // `extends` is reserved: no content type can have this name.
  const isBase = (entry: Entry): boolean => entry.key === 'extends';
  const bases = entries.filter(isBase).map((entry) => readExtends(reader, entry));
  const permissions = entries.filter((entry) => !isBase(entry)).map((entry) => readPermission(reader, entry));
  return {
    role: { value: key, location },
    extends: bases.filter((item) => item !== undefined),
    permissions: permissions.filter((item) => item !== undefined),
  };
}

/** Reads the map `permissions`: role → type or endpoint → actions. */
export function readPermissions(reader: Reader, entry: Entry | undefined): readonly RoleDefinition[] {
  if (entry === undefined) return [];
  const { value: node, location } = entry;
  const entries = readEntries(reader, { node, location, what: '`permissions`' }) ?? [];
  return entries.map((role) => readRole(reader, role));
}
