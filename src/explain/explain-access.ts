/**
 * The routes of a type, the permissions they require and the roles that have them; further permissions for an
 * attribute.
 */
import { permissionName } from '#contract/policy/permission-name.ts';
import { entryRoutes, UNNAMED } from '#contract/routes/entries.ts';
import type { Attribute, ContentModel, ContentType } from '../model/content-model.ts';
import { routedType } from '../emit/routed-types.ts';
import { describeRule } from '#contract/policy/describe-rule.ts';
import type { Section } from './section.ts';

function rolesWith({ roles }: ContentModel, permission: string): string {
  const names = roles.filter(({ permissions }) => permissions.includes(permission)).map(({ role }) => role);
  return names.length === 0 ? 'no role' : names.join(', ');
}

export function explainAccess(model: ContentModel, type: ContentType, attribute?: Attribute): readonly Section[] {
  if (type.builtIn) return [];
  const routes = entryRoutes(routedType(type, UNNAMED, model.api.format)).map(({ method, path, permission = '' }) => [
    method,
    path,
    permission,
    rolesWith(model, permission),
  ]);
  const rules = attribute === undefined ? ruleRows(model, type) : [];
  const further = attribute === undefined ? [] : furtherRights(model, type, attribute);
  return [
    { title: 'Routes, required permissions, and roles that have them', rows: routes },
    ...(rules.length === 0 ? [] : [{ title: 'Rules: what roles reach, write and may use', rows: rules }]),
    ...(further.length === 0 ? [] : [{ title: 'Further permissions for this attribute', rows: further }]),
  ];
}

/** The rules of the permissions for a type: what roles may do under conditions. */
function ruleRows({ roles }: ContentModel, { uid }: ContentType): readonly (readonly string[])[] {
  return roles.flatMap(({ role, rules = {} }) =>
    Object.entries(rules)
      .filter(([permission]) => permission.startsWith(`${uid}.`))
      .map(([permission, rule]) => [role, permission, describeRule(rule)]),
  );
}

function right(model: ContentModel, what: string, subject: string, action: Parameters<typeof permissionName>[1]) {
  const permission = permissionName(subject, action);
  return [what, permission, rolesWith(model, permission)];
}

function furtherRights(
  model: ContentModel,
  { uid }: ContentType,
  attribute: Attribute,
): readonly (readonly string[])[] {
  if (attribute.private) return [['It never appears in a response, a filter or a sort key.']];
  if (attribute.kind === 'media') return [right(model, 'to refer to a file by its id', 'upload', 'find')];
  if (attribute.kind !== 'relation') return [];
  const { targets, owner, relation } = attribute;
  const changesOthers = !owner && (relation === 'oneToMany' || relation === 'oneToOne');
  return targets.flatMap((target) => {
    if (target === 'user') return [right(model, 'to populate or connect it', 'users', 'find')];
    const find = right(model, 'to populate it, filter by it, or connect entries', target, 'find');
    return changesOthers
      ? [find, right(model, `to connect, which changes the row of ${target}, not that of ${uid}`, target, 'update')]
      : [find];
  });
}
