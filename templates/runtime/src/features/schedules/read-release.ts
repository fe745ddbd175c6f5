/**
 * `release`: shows what the content will be once a release is published. That publishes it in a transaction that is rolled back.
 */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError, ForbiddenError, NotFoundError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import { type Database, UniqueViolation } from '../../database/database.ts';
import type { HookedType, InRelease } from '../../entries/context.ts';
import type { InTransaction } from '../../http/feature.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import type { CallContext, EntryRequest } from '../../query/entry-request.ts';
import { invalidValue } from '../../query/invalid-parameter.ts';
import { ownValue, textOf } from '../../query/query-value.ts';
import { rareParameter } from '../../query/rare-parameter.ts';
import { type ItemHost, visibleItems } from './item-rights.ts';
import { publishUnchecked } from './publish-unchecked.ts';
import { explained } from './refusal.ts';
import { findRelease, type ReleaseItem } from './release-rows.ts';

interface Host extends ItemHost {
  readonly database: Database;
  readonly inTransaction: InTransaction;
}

const NAME = 'release';
const ID = /^[1-9]\d{0,14}$/u;
/** Parameters about something else than what is published now, with the values that are not. */
const OTHERS: Readonly<Record<string, string | undefined>> = {
  asOf: undefined,
  publicationState: 'live',
  status: 'published',
};

/** The release that the query names. Throws BadRequestError. */
function releaseIn({ query }: Pick<EntryRequest, 'query'>): number | undefined {
  const value = rareParameter(query, NAME);
  if (value === undefined) return undefined;
  const text = textOf(value, NAME);
  if (!ID.test(text)) throw invalidValue(NAME, 'must be the id of a release');
  const tree = query.tree();
  for (const [name, published] of Object.entries(OTHERS)) {
    const other = ownValue(tree, name);
    if (other === undefined || (published !== undefined && textOf(other, name) === published)) continue;
    throw new BadRequestError(`Invalid parameter ${NAME}: it can't be combined with ${name}`);
  }
  return Number(text);
}

/** What of the release is still to come, as far as the caller may see its drafts. */
async function itemsAhead(host: Host, id: number, call: CallContext): Promise<readonly ReleaseItem[]> {
  const { caller } = call;
  if (!caller.permissions.has('releases.find')) {
    throw new ForbiddenError({ reason: `${caller.role} lacks releases.find` });
  }
  const release = await findRelease(host.database, id);
  if (!release) throw new NotFoundError();
  if (release.state !== 'open' && release.state !== 'planned') return [];
  const isSeen = await visibleItems(host, release.items, call);
  return release.items.filter((item) => may(caller, 'preview', item.type) && isSeen(item));
}

/** Ends the transaction. */
class Shown<T> extends Error {
  readonly answer: T;

  constructor(answer: T) {
    super('nothing is published');
    this.answer = answer;
  }
}

type Read<T> = (hooked: (type: ContentType) => HookedType) => Promise<T>;

async function readAfter<T>(host: Host, items: readonly ReleaseItem[], read: Read<T>): Promise<T> {
  const { types } = host;
  if (items.length === 0) return read(host.hooked);
  try {
    return await host.inTransaction<T>(async (inside) => {
      await publishUnchecked(inside.database, types, items);
      throw new Shown(await read((type) => inside.hooked(type)));
    });
  } catch (error) {
    if (error instanceof Shown) return error.answer as T;
    if (!(error instanceof UniqueViolation)) throw error;
    const told = items.map(({ type }) => explained(error, types, types.types[type])).find((one) => one !== error);
    throw told ?? error;
  }
}

/** Versions of what is not published yet are no versions of what will be. */
function withoutVersion(answer: EntryAnswer): EntryAnswer {
  return { ...answer, version: undefined, tag: undefined };
}

export function readingReleases(host: Host): InRelease {
  return ({ type }, request) => {
    const id = releaseIn(request);
    if (id === undefined) return undefined;
    const inside = { ...request, isKnown: undefined };
    const read = async <T>(by: (context: HookedType, own: EntryRequest) => Promise<T>): Promise<T> =>
      readAfter(host, await itemsAhead(host, id, request), (hooked) =>
        by({ ...hooked(type), inRelease: undefined }, inside),
      );
    return {
      async list(by) {
        const answer = await read(by);
        return answer.with(answer.entries());
      },
      count: read,
      entry: async (by) => withoutVersion(await read(by)),
    };
  };
}
