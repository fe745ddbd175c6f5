/** Checks what a rule permits, with entries on both sides of it. */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { type Rule, type RuleFilter, variableOf } from '../contract/policy/rule.ts';
import type { JsonValue } from '../contract/values/json.ts';
import type { AnyCollection, AnyEntries } from '../entries/typed/any-entries.ts';
import type { TestClient } from './client.ts';
import { NotMade } from './compared-value.ts';
import { type Randomness, type RuleContent, ruleContent } from './rule-content.ts';

/** The rule of a role for a permission, such as `comment.update`. */
export interface RuleCase extends Rule {
  readonly role: string;
  readonly permission: string;
}

interface RuleServer {
  readonly entries: AnyEntries;
  readonly contentTypes: ContentTypes;
  readonly shared: Randomness;
  /** A caller with the role of the rule, and another one. */
  readonly caller: TestClient<unknown>;
  readonly other: TestClient<unknown>;
}

/** What was requested of an entry, what had to be answered, and what was. */
interface RuleResult {
  readonly what: string;
  readonly expected: readonly number[];
  readonly actual: number;
}

/** Either results, or why the rule can't be checked with generated entries. */
export type RuleOutcome = { readonly results: readonly RuleResult[] } | { readonly untested: string };

/** Paths have numbers, also where the v5 format is the default. */
const V4 = { 'Strapi-Response-Format': 'v4' };

const PREVIEW = { publicationState: 'preview' };

/** How often entries are made until there is one on each side. */
const TRIES = 6;

function withValues(value: JsonValue, userId: number): JsonValue {
  const variable = variableOf(value);
  if (variable?.kind === 'now') return new Date().toISOString();
  if (variable?.kind === 'user' && variable.path.length === 0) return userId;
  if (variable) throw new NotMade(`it compares with ${JSON.stringify(value)}`);
  if (Array.isArray(value)) return value.map((one: JsonValue) => withValues(one, userId));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withValues(one, userId)]));
}

interface Sides {
  readonly inside: number;
  readonly outside: number;
}

/**
 * The ids of an entry that the rule reaches and of one that it doesn't. On which side an entry is, the server says: it is asked, with
 * its own permissions, for the filter of the rule with values for its variables.
 */
async function makeSides(
  { entries }: RuleServer,
  content: RuleContent,
  type: ContentType,
  { where, userId, isDraft }: { readonly where: RuleFilter; readonly userId: number; readonly isDraft: boolean },
): Promise<Sides> {
  const collection = entries[type.uid] as AnyCollection;
  const found = new Map<boolean, number>();
  for (let tries = 0; tries < TRIES && found.size < 2; tries += 1) {
    for (const wanted of [true, false]) {
      if (found.has(wanted)) continue;
      const id = await content.make(type, { where, wanted, isDraft });
      const filters = { $and: [{ id }, withValues(where, userId)] };
      found.set((await collection.count({ filters, ...(isDraft && PREVIEW) })) > 0, id);
    }
  }
  const [inside, outside] = [found.get(true), found.get(false)];
  if (inside === undefined) throw new NotMade('no entry was found that it reaches');
  if (outside === undefined) throw new NotMade('no entry was found that it leaves out');
  return { inside, outside };
}

/** How each action is requested of one entry: the statuses that say that it is done, and that it is not. */
const REQUESTS: Readonly<
  Record<string, { method: string; body?: object; done: readonly number[]; refused: readonly number[] }>
> = {
  findOne: { method: 'GET', done: [200], refused: [404] },
  update: { method: 'PUT', body: { data: {} }, done: [200], refused: [403, 404] },
  delete: { method: 'DELETE', done: [200, 204], refused: [403, 404] },
};

async function listed(
  { caller }: RuleServer,
  { pluralName }: ContentType,
  { id, action }: { readonly id: number; readonly action: string },
): Promise<number> {
  const drafts = action === 'preview' ? '&publicationState=preview' : '';
  const path = `/api/${pluralName}?filters[id]=${id}${drafts}`;
  const { status, body } = await caller.send<{ readonly data?: readonly unknown[] }>('GET', path, { headers: V4 });
  return status === 200 ? (body.data?.length ?? -1) : status;
}

async function results(server: RuleServer, type: ContentType, action: string, sides: Sides): Promise<RuleOutcome> {
  if (action === 'find' || action === 'preview') {
    return {
      results: [
        {
          what: 'entries listed of one that it reaches',
          expected: [1],
          actual: await listed(server, type, { id: sides.inside, action }),
        },
        {
          what: 'entries listed of one that it leaves out',
          expected: [0],
          actual: await listed(server, type, { id: sides.outside, action }),
        },
      ],
    };
  }
  const request = REQUESTS[action];
  if (!request) return { untested: `there is no generated test of ${action}` };
  const { method, body, done, refused } = request;
  const send = async (id: number): Promise<number> =>
    (await server.caller.send(method, `/api/${type.pluralName}/${id}`, { body, headers: V4 })).status;
  return {
    results: [
      { what: `${method} of an entry that it leaves out`, expected: refused, actual: await send(sides.outside) },
      { what: `${method} of an entry that it reaches`, expected: done, actual: await send(sides.inside) },
    ],
  };
}

/** Requests what the rule permits, of an entry that it reaches and of one that it leaves out. */
export async function checkRuleCase(server: RuleServer, { permission, where }: RuleCase): Promise<RuleOutcome> {
  const [uid = '', action = ''] = permission.split('.');
  const type = server.contentTypes.types[uid];
  if (type?.kind !== 'collectionType' || uid === 'file') return { untested: 'there is no generated test of it' };
  if (where === undefined) return { untested: 'it has no `where`' };
  const { userId: caller = 0 } = server.caller;
  const { userId: other = 0 } = server.other;
  try {
    const content = ruleContent(server.contentTypes, server.entries, {
      users: { caller, other },
      shared: server.shared,
    });
    const sides = await makeSides(server, content, type, {
      where,
      userId: caller,
      isDraft: action === 'preview',
    });
    return await results(server, type, action, sides);
  } catch (error) {
    if (error instanceof NotMade) return { untested: error.message };
    throw error;
  }
}
