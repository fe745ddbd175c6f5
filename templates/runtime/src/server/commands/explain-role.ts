/** `npm run server -- explain article --as moderator`: the rules of a role, in words and in SQL. */
import { UsageError } from '../../base/command-errors.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import { LINK } from '../../contract/policy/rule.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { actionQuery, type ExplainedAction } from '../../entries/rules/action-query.ts';
import { namedValues } from '../../entries/rules/named-values.ts';
import { rulePredicate } from '../../query/rules/rule-predicate.ts';
import {
  type ExplainContext,
  explainedActions,
  type ExplainedRole,
  explainedRoles,
  explainedType,
  ruledType,
  ruleWords,
} from './explained-types.ts';
import { orNearest } from './wrong-arguments.ts';

async function sqlLines(
  context: ExplainContext,
  type: ContentType,
  { caller }: ExplainedRole,
  action: ExplainedAction,
): Promise<readonly string[]> {
  const { definition, database } = context;
  const { contentTypes: types, api } = definition;
  const isRead = action === 'find' || action === 'findOne' || action === 'preview';
  const asker = isRead ? caller : serverCaller(types);
  const { valueOf, nameOf } = namedValues(types, caller);
  const query = await actionQuery(ruledType(context, type), caller, action, valueOf);
  const { dialect } = database;
  const { text, parameters } = rulePredicate({ dialect, types, api }, { type, caller: asker, query, nameOf });
  return [`  ${text}`, ...(parameters.length > 0 ? [`  with ${JSON.stringify(parameters)}`] : [])];
}

async function actionLines(
  context: ExplainContext,
  type: ContentType,
  role: ExplainedRole,
  action: ExplainedAction,
): Promise<readonly string[]> {
  const { caller } = role;
  const permission = permissionName(type.uid, action);
  const rule = caller.permissions.rules?.[permission];
  if (action === LINK && !rule) return [];
  if (action !== LINK && !may(caller, action, type.uid)) return ['', `${action}: not permitted`];
  const lines = ['', `${action}: ${ruleWords(rule)}`];
  const isWrite = action === 'create' || action === 'update' || action === 'delete' || action === LINK;
  return isWrite && !rule?.where ? lines : [...lines, ...(await sqlLines(context, type, role, action))];
}

/** Throws UsageError if there is no such type or role. */
export async function explainRole(
  context: ExplainContext,
  { type: typeName, role: roleName }: { readonly type: string; readonly role: string },
): Promise<readonly string[]> {
  const type = explainedType(context.definition.contentTypes, typeName);
  const roles = await explainedRoles(context);
  const role = roles.find(({ name }) => name === roleName);
  if (!role) {
    const names = roles.map(({ name }) => name);
    throw new UsageError(`There is no role ${roleName}${orNearest(roleName, names)}`);
  }
  const lines = [`${type.uid}, as ${role.name}`];
  for (const action of explainedActions(type)) lines.push(...(await actionLines(context, type, role, action)));
  return lines;
}
