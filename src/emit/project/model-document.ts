/** `docs/model.md`: the content model as a diagram, its paths, and a table per type. */
import { ENTRY_ACTIONS } from '#contract/policy/caller.ts';
import type {
  Attribute,
  Component,
  ContentModel,
  ContentType,
  RelationAttribute,
  RolePermissions,
} from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { describeRules, describeValue } from '../describe-attribute.ts';
import { describeRule } from '#contract/policy/describe-rule.ts';
import { markdownText, pathSegment } from '../escape.ts';
import { lateTextFile } from '../managed-file.ts';
import { ownTypes, publicPermissions, rolesWithRules } from '../routed-types.ts';

type Owner = Pick<ContentType | Component, 'uid' | 'attributes'>;

/** Names in Mermaid diagrams consist of letters, digits and `_`. */
function entityName(uid: string): string {
  return uid.replace(/[^A-Za-z0-9]/g, '_');
}

function columnsOf({ attributes }: Owner): readonly string[] {
  return attributes.flatMap((attribute) => {
    if (attribute.kind !== 'scalar') return [];
    return [`    ${attribute.type} ${attribute.name}${attribute.unique ? ' UK' : ''}`];
  });
}

function entity(owner: Owner): readonly string[] {
  const head = `  ${entityName(owner.uid)}["${owner.uid}"]`;
  const columns = columnsOf(owner);
  return columns.length === 0 ? [head] : [`${head} {`, ...columns, '  }'];
}

/** The cardinality at both ends, in Mermaid notation. */
function ends({ relation, many }: RelationAttribute): string {
  if (relation === 'oneToOne') return '|o--o|';
  return many ? '}o--o{' : '}o--o|';
}

function edges(owner: Owner, drawn: ReadonlySet<string>): readonly string[] {
  const line = (link: string, target: string, { name }: Attribute): string =>
    `  ${entityName(owner.uid)} ${link} ${entityName(target)} : ${name}`;
  return owner.attributes.flatMap((attribute) => {
    switch (attribute.kind) {
      case 'relation': {
        if (!attribute.owner) return [];
        return attribute.targets
          .filter((target) => drawn.has(target))
          .map((target) => line(ends(attribute), target, attribute));
      }
      case 'component':
        return [line(attribute.repeatable ? '||--o{' : '||--o|', attribute.component, attribute)];
      case 'dynamiczone':
        return attribute.components.map((uid) => line('||--o{', uid, attribute));
      case 'scalar':
      case 'media':
        return [];
    }
  });
}

function table({ attributes }: Owner): readonly string[] {
  const rows = attributes.map((attribute) => {
    const { displayName, description } = attribute;
    const about = [displayName, description].filter((text) => text !== undefined).join(': ');
    const cells = [describeValue(attribute), describeRules(attribute).join(', '), about];
    return `| \`${attribute.name}\` | ${cells.map(markdownText).join(' | ')} |`;
  });
  return ['| attribute | type | rules | description |', '| --- | --- | --- | --- |', ...rows];
}

/** What roles may do with entries of a type under conditions. */
function rulesOf({ uid }: Owner, roles: Input['rules'] = []): readonly string[] {
  const rows = roles.flatMap(({ role, rules = {} }) =>
    Object.entries(rules)
      .filter(([permission]) => permission.startsWith(`${uid}.`))
      .map(([permission, rule]) => [role, permission.slice(uid.length + 1), describeRule(rule)] as const),
  );
  if (rows.length === 0) return [];
  const cells = rows.map(
    ([role, action, rule]) => `| ${markdownText(role)} | ${action} | \`${rule.replaceAll('|', '\\|')}\` |`,
  );
  return ['', '| role | action | rule |', '| --- | --- | --- |', ...cells];
}

function section(owner: ContentType | Component): readonly string[] {
  const description = owner.description === undefined ? [] : [markdownText(owner.description), ''];
  const unique = 'unique' in owner ? owner.unique : [];
  const combinations = unique.flatMap((names) => [
    `Unique together: ${names.map((name) => `\`${name}\``).join(', ')}.`,
    '',
  ]);
  const tenant = 'tenant' in owner ? owner.tenant : undefined;
  const within = tenant === undefined ? [] : [`Tenant: \`${tenant}\`. Unique values are unique within it.`, ''];
  return ['', `## ${markdownText(owner.uid)}`, '', ...description, ...within, ...combinations, ...table(owner)];
}

/** The path of each type, and what the role `public` may do with it according to the schema. */
function paths(types: readonly ContentType[], open: ReadonlySet<string>): readonly string[] {
  const rows = types.map(({ uid, displayName, route }) => {
    const allowed = ENTRY_ACTIONS.filter((action) => open.has(`${uid}.${action}`)).join(', ') || '–';
    return `| ${markdownText(displayName ?? uid)} | \`/api/${pathSegment(route)}\` | ${allowed} |`;
  });
  return ['', '| content type | path | public |', '| --- | --- | --- |', ...rows];
}

function printModel({ name, open, rules, types, components }: Input): string {
  const owners = [...types, ...components];
  const drawn = new Set([...owners.map(({ uid }) => uid), 'user']);
  const lines = [
    `# The content model of ${markdownText(name)}`,
    '',
    'Generated from the schema: do not edit.',
    '',
    '```mermaid',
    'erDiagram',
    ...owners.flatMap(entity),
    ...owners.flatMap((owner) => edges(owner, drawn)),
    '```',
    ...paths(types, new Set(open)),
    ...owners.flatMap((owner) => [...section(owner), ...rulesOf(owner, rules)]),
  ];
  return `${lines.join('\n')}\n`;
}

interface Input {
  readonly name: string;
  /** The permissions of the role `public`. */
  readonly open: readonly string[];
  /** The rules of all roles; absent if there are none. */
  readonly rules?: readonly Pick<RolePermissions, 'role' | 'rules'>[];
  readonly types: readonly ContentType[];
  readonly components: readonly Component[];
}

export function modelDocument(model: ContentModel): GeneratedFile {
  const open = publicPermissions(model);
  const rules = rolesWithRules(model);
  const ruled = rules.length > 0 ? { rules } : {};
  const input: Input = { name: model.name, open, ...ruled, types: ownTypes(model), components: model.components };
  return lateTextFile('docs/model.md', input, printModel);
}
