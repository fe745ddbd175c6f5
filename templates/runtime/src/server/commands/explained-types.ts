/** The types whose rules `explain` shows, and the roles that have them. */
import { fillRoles, readRoles } from '../../access/role-rows.ts';
import { UsageError } from '../../base/command-errors.ts';
import type { CostSettings } from '../../contract/costs.ts';
import type { ApiSettings, ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { PUBLIC } from '../../contract/policy/built-in-roles.ts';
import { permissionName, SUBJECTS } from '../../contract/policy/permission-name.ts';
import { permissionSet } from '../../contract/policy/permission-set.ts';
import { LINK, type Rule } from '../../contract/policy/rule.ts';
import { describeRule } from '../../contract/policy/describe-rule.ts';
import { ENDPOINT_ACTIONS } from '../../contract/routes/built-in.ts';
import { entryActions } from '../../contract/routes/entries.ts';
import { hookedTypes, placeOf } from '../../entries/hooked-types.ts';
import type { HookedType } from '../../entries/context.ts';
import { narrowByRules } from '../../entries/rules/read-rules.ts';
import { createRuleValues } from '../../entries/rules/rule-values.ts';
import type { ExplainedAction } from '../../entries/rules/action-query.ts';
import { narrowedReader } from '../../query/narrowing.ts';
import { createReader } from '../../query/reader.ts';
import type { CommandContext, CommandDefinition } from './command.ts';
import { orNearest } from './wrong-arguments.ts';

/** The part of the server definition that `explain` needs. */
export interface ExplainedDefinition extends CommandDefinition {
  readonly api: ApiSettings;
  readonly costs?: CostSettings;
}

/** What `explain` works with. */
export interface ExplainContext extends Pick<CommandContext, 'database'> {
  readonly definition: ExplainedDefinition;
}

/** A role of the database. */
export interface ExplainedRole {
  readonly id: number;
  readonly name: string;
  /** A caller with this role, who is no particular user. */
  readonly caller: Caller;
}

/** Throws UsageError. `name`: that of a type, or of the subject of its permissions, such as `upload`. */
export function explainedType({ types }: ContentTypes, name: string): ContentType {
  const uid = [...SUBJECTS].find(([, subject]) => subject === name)?.[0] ?? name;
  const type = Object.hasOwn(types, uid) ? types[uid] : undefined;
  if (!type) throw new UsageError(`There is no content type ${name}${orNearest(name, Object.keys(types))}`);
  return type;
}

/** The actions on entries of a type whose permissions may have rules. */
export function explainedActions(type: ContentType): readonly ExplainedAction[] {
  const subject = SUBJECTS.get(type.uid);
  if (subject === undefined) return [...(entryActions(type) as readonly ExplainedAction[]), LINK];
  const permitted = (ENDPOINT_ACTIONS.get(subject) ?? []).map((action) => `${subject}.${action}`);
  const actions: readonly ExplainedAction[] = ['find', 'findOne', 'create', 'update', 'delete'];
  return [...actions.filter((action) => permitted.includes(permissionName(type.uid, action))), LINK];
}

/** The roles of the database; at a first start, those of the schema. */
export async function explainedRoles({ definition, database }: ExplainContext): Promise<readonly ExplainedRole[]> {
  await fillRoles(database, definition);
  const stored = await readRoles(database, definition.rules !== undefined);
  return stored.map(({ id, type: name, permissions, rules }) => ({
    id,
    name,
    caller: { kind: name === PUBLIC ? 'public' : 'user', role: name, permissions: permissionSet(permissions, rules) },
  }));
}

/** What is read and asked as requests do it, but for the hooks of the project. */
export function ruledType({ definition, database }: ExplainContext, type: ContentType): HookedType {
  const { contentTypes: types, api } = definition;
  const plain = createReader({ database, types, api });
  const ruleValues = createRuleValues(types, plain);
  const reader = narrowedReader(plain, narrowByRules(types, ruleValues));
  return hookedTypes({ ...placeOf(database, reader), types, hooks: {}, ruleValues })(type);
}

/** A rule in the words of the schema. */
export function ruleWords(rule: Rule | undefined): string {
  return rule ? describeRule(rule) : 'all entries, without a rule';
}
