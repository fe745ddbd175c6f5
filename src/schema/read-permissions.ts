import { named } from '../diagnostics/visible-text.ts';
import { RULE_MEMBERS } from '#contract/policy/rule.ts';
import { reportError } from '../diagnostics/report.ts';
import type { ActionDefinition, Located, PermissionDefinition, RoleDefinition } from './definition.ts';
import { type Entry, readEntries, type Reader, type Reading, readList, readText, reportType } from './reader.ts';
import { readWrittenJson } from './written-json.ts';
import type { YamlNode } from './yaml-node.ts';

/** How to write what was meant by a single value. */
function actionsHint({ value, source }: Extract<YamlNode, { kind: 'scalar' }>): string | undefined {
  if (value === true) return "write '*' in quotes to permit all actions";
  if (value === false) return 'remove this line: what is not listed is not permitted';
  return source === '' ? undefined : `write a list in brackets: [${source}]`;
}

/** An action with a rule: `update: { where: … }`. */
function readRule(reader: Reader, reading: Reading): ActionDefinition | undefined {
  const [action, ...further] = readEntries(reader, reading) ?? [];
  if (action === undefined) return reportType(reader, reading, 'an action', 'write `update` or `update: { where: … }`');
  const { key, value: node, location } = action;
  const [other] = further;
  if (other === undefined) {
    const rule = readWrittenJson(reader, { node, location, what: `the rule of ${named(key)}` });
    return { value: key, location, rule };
  }
  const isMember = (name: string): boolean => RULE_MEMBERS.some((member) => member === name);
  return reportError(reader.report, {
    code: 'schema/type',
    message: `expected one action with its rule, found ${named(key)} and ${named(other.key)} in one item of the list`,
    location: other.location,
    hint: isMember(other.key)
      ? `${named(other.key)} belongs to the rule of ${named(key)}: write \`${key}: { ${other.key}: … }\`, or indent it further`
      : 'write each action as an item of its own',
  });
}

function readAction(reader: Reader, reading: Reading): ActionDefinition | undefined {
  if (reading.node.kind === 'map') return readRule(reader, { ...reading, what: 'an action' });
  return readText(reader, { ...reading, what: 'an action' });
}

function readPermission(reader: Reader, { key, value: node, location }: Entry): PermissionDefinition | undefined {
  const subject = { value: key, location };
  const reading: Reading = { node, location, what: `the permission for ${named(key)}` };
  if (node.kind === 'scalar' && node.value === '*') return { subject, actions: '*' };
  if (node.kind === 'scalar') {
    return reportType(reader, reading, "a list of actions, or '*' for all of them", actionsHint(node));
  }
  const actions = readList(reader, reading, (item) => readAction(reader, item));
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
