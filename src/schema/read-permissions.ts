import { named } from '../diagnostics/visible-text.ts';
import type { Located, PermissionDefinition, RoleDefinition } from './definition.ts';
import { type Entry, readEntries, type Reader, type Reading, readList, readText, reportType } from './reader.ts';
import type { YamlNode } from './yaml-node.ts';

/** How to write what was meant by a single value. */
function actionsHint({ value, source }: Extract<YamlNode, { kind: 'scalar' }>): string | undefined {
  if (value === true) return "write '*' in quotes to permit all actions";
  if (value === false) return 'remove this line: what is not listed is not permitted';
  return source === '' ? undefined : `write a list in brackets: [${source}]`;
}

function readPermission(reader: Reader, { key, value: node, location }: Entry): PermissionDefinition | undefined {
  const subject = { value: key, location };
  const reading: Reading = { node, location, what: `the permission for ${named(key)}` };
  if (node.kind === 'scalar' && node.value === '*') return { subject, actions: '*' };
  if (node.kind === 'scalar') {
    return reportType(reader, reading, "a list of actions, or '*' for all of them", actionsHint(node));
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
