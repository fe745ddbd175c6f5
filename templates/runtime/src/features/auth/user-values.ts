/** The values of bodies about users, with those that a rule sets, and without those that it refuses. */
import { notWritable } from '../../content/validators/field.ts';
import type { Trust } from '../../content/relations/check-targets.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Values } from '../../contract/item-attributes.ts';
import { attributeRule, mayName, trusting, valuesSet } from '../../entries/rules/ruled-data.ts';
import { checkBody, userFields } from './bodies.ts';
import type { AuthContext } from './context.ts';

export interface UserValues {
  readonly values: Values;
  /** What a rule has set; undefined if none has. */
  readonly trusts?: Trust;
}

/** Throws ValidationError. */
export async function userValues(
  context: AuthContext,
  body: unknown,
  { caller, operation }: { readonly caller: Caller; readonly operation: 'create' | 'update' },
): Promise<UserValues> {
  const { types, userType: type, hooked, unknownAttributes: unknownKeys } = context;
  const { managed } = userFields(context);
  const rule = attributeRule(caller, operation, type);
  if (!rule) return { values: checkBody(managed, body, { operation, unknownKeys, types }) };
  const set = await valuesSet(hooked, caller, rule);
  const fields = Object.entries(managed).map(
    ([name, field]) => [name, mayName(rule, type, name) ? field : notWritable(field)] as const,
  );
  const closed = Object.keys(set).length > 0 ? 'awaited' : 'refused';
  const how = { operation, unknownKeys, types };
  const given = checkBody(Object.fromEntries(fields), body, { ...how, notWritable: closed });
  const added = checkBody(managed, set, { ...how, operation: 'update', notWritable: 'taken' });
  return { values: { ...given, ...added }, trusts: trusting(set) };
}
