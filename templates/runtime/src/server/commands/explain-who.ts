/** `npm run server -- explain --who article:7`: who may find, change and delete an entry, and by which rule. */
import type { ContentType } from '../../contract/content-type.ts';
import { type Caller, may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import type { Permissions } from '../../contract/policy/rule.ts';
import { sql } from '../../database/sql.ts';
import type { HookedType } from '../../entries/context.ts';
import { amongWhich, ANY_STATE, PUBLISHED } from '../../entries/rules/action-rules.ts';
import { visibleAmong } from '../../entries/visible-entry.ts';
import { OWN } from '../../query/format.ts';
import { variablesIn } from '../../query/rules/rule-filter.ts';
import {
  type ExplainContext,
  explainedActions,
  type ExplainedRole,
  explainedRoles,
  ruledType,
  ruleWords,
} from './explained-types.ts';

/** The actions on an entry that is there. */
const ACTIONS = ['find', 'findOne', 'update', 'delete'] as const;

type EntryAction = (typeof ACTIONS)[number];

/** How many users of an action are named. */
const NAMED = 20;

interface User {
  readonly id: number;
  readonly name: string;
}

async function isFound(context: HookedType, caller: Caller, action: 'find' | 'findOne', id: number): Promise<boolean> {
  const { reader, type } = context;
  const mayPreview = type.draftAndPublish && may(caller, 'preview', type.uid);
  for (const query of mayPreview ? [PUBLISHED, ANY_STATE] : [PUBLISHED]) {
    const request = { caller, query, format: OWN };
    const found =
      action === 'findOne'
        ? (await reader.one(type, request, id)) !== undefined
        : (await reader.matching(type, request, [id])).has(id);
    if (found) return true;
  }
  return false;
}

/** Whether the caller's permissions and their rules let the action reach the entry. */
async function reaches(context: HookedType, caller: Caller, action: EntryAction, id: number): Promise<boolean> {
  if (!may(caller, action, context.type.uid)) return false;
  if (action === 'find' || action === 'findOne') return isFound(context, caller, action, id);
  const call = { caller };
  if (!(await visibleAmong(context, [id], call)).has(id)) return false;
  return (await amongWhich(context, [id], call, { question: action })).has(id);
}

/** Whether users of a role may differ: a rule that matters for the type names its caller. Files are found by any type's rules. */
function dependsOnCaller({ rules = {} }: Permissions, { uid }: ContentType): boolean {
  const prefix = permissionName(uid, '');
  return Object.entries(rules)
    .filter(([permission]) => uid === 'file' || permission.startsWith(prefix))
    .some(([, { where = {} }]) => variablesIn(where).some(({ kind }) => kind === 'user'));
}

async function usersOf({ database }: ExplainContext, role: number, most: number) {
  const { id: quote } = database.dialect;
  const name = quote('username');
  const rows = await database.all(
    sql`SELECT id, ${name} AS ${name} FROM users WHERE role_id = ${role} ORDER BY id LIMIT ${most}`,
  );
  const count = await database.get(sql`SELECT COUNT(*) AS count FROM users WHERE role_id = ${role}`);
  const users: readonly User[] = rows.map((row) => ({ id: Number(row['id']), name: String(row['username']) }));
  return { users, count: Number(count?.['count'] ?? 0) };
}

function listed(users: readonly User[]): string {
  const names = users.slice(0, NAMED).map(({ id, name }) => `${name} (${id})`);
  const further = users.length - names.length;
  return further > 0 ? `${names.join(', ')} and ${further} others` : names.join(', ');
}

/** Which users of a role the action lets reach the entry, of the first `most`. */
async function usersWho(
  context: ExplainContext,
  type: HookedType,
  { role, most }: { readonly role: ExplainedRole; readonly most: number },
  id: number,
): Promise<ReadonlyMap<EntryAction, string>> {
  const { users, count } = await usersOf(context, role.id, most);
  const reached = new Map<EntryAction, User[]>(ACTIONS.map((action) => [action, []]));
  for (const user of users) {
    const caller: Caller = { ...role.caller, userId: user.id };
    for (const action of ACTIONS) if (await reaches(type, caller, action, id)) reached.get(action)?.push(user);
  }
  const of = count > users.length ? `the first ${users.length} of ${count} users` : `${count} users`;
  return new Map(
    [...reached].map(([action, who]) => [action, `${who.length} of ${of}${who.length > 0 ? `: ${listed(who)}` : ''}`]),
  );
}

async function everyone(
  type: HookedType,
  { caller }: ExplainedRole,
  id: number,
): Promise<ReadonlyMap<EntryAction, string>> {
  const answers = new Map<EntryAction, string>();
  for (const action of ACTIONS) answers.set(action, (await reaches(type, caller, action, id)) ? 'yes' : 'no');
  return answers;
}

async function roleLines(
  context: ExplainContext,
  type: HookedType,
  { role, most }: { readonly role: ExplainedRole; readonly most: number },
  id: number,
): Promise<readonly string[]> {
  const { caller, name } = role;
  const { permissions } = caller;
  const isPerUser = caller.kind === 'user' && dependsOnCaller(permissions, type.type);
  const answers = isPerUser ? await usersWho(context, type, { role, most }, id) : await everyone(type, role, id);
  const lines = ACTIONS.filter((action) => explainedActions(type.type).includes(action)).map((action) => {
    if (!may(caller, action, type.type.uid)) return `  ${action}: no, not permitted`;
    const rule = permissions.rules?.[permissionName(type.type.uid, action)];
    return `  ${action}: ${answers.get(action)} – ${ruleWords(rule)}`;
  });
  return ['', name, ...lines];
}

/** `most`: how many users of each role are asked about, where a rule depends on the user. */
export async function explainWho(
  context: ExplainContext,
  type: ContentType,
  { id, most }: { readonly id: number; readonly most: number },
): Promise<readonly string[]> {
  const ruled = ruledType(context, type);
  const lines = [`${type.uid} ${id}`];
  for (const role of await explainedRoles(context)) {
    lines.push(...(await roleLines(context, ruled, { role, most }, id)));
  }
  return lines;
}
