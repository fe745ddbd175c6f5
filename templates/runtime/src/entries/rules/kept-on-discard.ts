/** Attributes that the rule of updates protects: who may not write them in a draft can't put them back by discarding it either. */
import { isDeepStrictEqual } from 'node:util';
import type { ContentType } from '../../contract/content-type.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import { attributeType } from '../../contract/attribute-types/scalar-type.ts';
import { kindsOf } from '../../contract/item-attributes.ts';
import type { Caller, WriteAction } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import type { Executor } from '../../database/executor.ts';
import { join, raw, sql } from '../../database/sql.ts';
import type { LaterSteps, Step } from '../../database/write-plan.ts';
import { compileContentText, type Content, PRIVATE } from '../../query/content-text.ts';
import { mayRead } from '../../query/rules/permitted-attributes.ts';
import type { HookedType } from '../context.ts';
import { attributeRule, mayName } from './ruled-data.ts';

/** Those that a request may set, though not one of this caller. What the rule sets itself is nobody's change. */
function protectedNames(type: ContentType, caller: Caller, action: WriteAction): readonly string[] {
  const rule = attributeRule(caller, action, type);
  if (!rule) return [];
  const { set = {} } = rule;
  return Object.entries(type.attributes).flatMap(([name, { writable }]) =>
    writable === false || Object.hasOwn(set, name) || mayName(rule, type, name) ? [] : [name],
  );
}

/** What the draft contains, with its passwords as they are stored. */
async function contentOf(executor: Executor, { types, type }: HookedType, id: number): Promise<Content> {
  const { dialect } = executor;
  const { alias, from, text } = compileContentText(dialect, types, type);
  const secrets = kindsOf(type.attributes).scalars.filter(([, scalar]) => attributeType(scalar.type).isSecret);
  const columns = secrets.map(([, { column }], index) => sql`, ${alias}.${dialect.id(column)} AS ${raw(`s_${index}`)}`);
  const row = await executor.get(
    sql`SELECT ${text} AS content${join(columns, '')} FROM ${from} WHERE ${alias}.id = ${id}`,
  );
  const { [PRIVATE]: hidden, ...open } = JSON.parse(String(row?.['content'] ?? '{}')) as Content;
  const kept = secrets.map(([name], index) => [name, row?.[`s_${index}`] ?? null] as const);
  return { ...open, ...(hidden as Content | undefined), ...Object.fromEntries(kept) };
}

/** Names what the caller may read of the attributes. */
function refusal({ type }: HookedType, caller: Caller, action: WriteAction, names: readonly string[]): ForbiddenError {
  const shown = names.filter((name) => type.attributes[name]?.private !== true && mayRead(caller, type, 'one', name));
  const what = shown.length === 0 ? 'something' : shown.join(', ');
  return new ForbiddenError({
    message: `The draft has another value of ${what}, which this role may not change: it can't be discarded`,
    reason: `the rule of ${permissionName(type.uid, action)} keeps ${caller.role} from changing ${names.join(', ')}`,
  });
}

/** The steps that discard the draft, which throw ForbiddenError if they change what the caller's rule protects. */
export function keepingProtected(
  context: HookedType,
  { caller, action }: { readonly caller: Caller; readonly action: WriteAction },
  id: number,
  steps: readonly Step[],
): readonly Step[] {
  const names = protectedNames(context.type, caller, action);
  if (names.length === 0) return steps;
  let before: Content = {};
  const remember: LaterSteps = async (tx) => {
    before = await contentOf(tx, context, id);
    return [];
  };
  const compare: LaterSteps = async (tx) => {
    const after = await contentOf(tx, context, id);
    const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
    if (changed.length > 0) throw refusal(context, caller, action, changed);
    return [];
  };
  return [remember, ...steps, compare];
}
