/** Values of relations and media: ids of what is there. */
import type { MediaAttribute, RelationAttribute } from '../../contract/content-type.ts';
import { Refused } from '../../base/command-errors.ts';
import type { SeedContext } from './context.ts';
import { isExclusive, targetsOf } from './links.ts';

/** A list has at most this many. */
const LONGEST_LIST = 4;
const ALL_KINDS = ['images'];

interface Target {
  readonly uid: string;
  readonly id: number;
}

/** Where the value stands, for messages and to tell which targets are taken. */
export interface Place {
  readonly path: string;
  /** How many entries of the type were made before. */
  readonly index: number;
}

/** Some targets, each once. The n-th entry of a type gets the n-th target where none can have two. */
function pickTargets(context: SeedContext, attribute: RelationAttribute, { index }: Place): readonly Target[] {
  const { pools, random } = context;
  const all = targetsOf(attribute).flatMap((uid) => (pools.get(uid) ?? []).map((id) => ({ uid, id })));
  if (isExclusive(attribute)) return all.slice(index, index + 1);
  const count = attribute.many ? Math.min(all.length, 1 + random.below(LONGEST_LIST)) : Math.min(all.length, 1);
  const chosen = new Set<Target>();
  while (chosen.size < count) chosen.add(random.pick(all));
  return [...chosen];
}

/** Undefined where nothing is there that it could lead to. Throws Refused where it is required. */
export function randomRelation(context: SeedContext, attribute: RelationAttribute, place: Place): unknown {
  const targets = pickTargets(context, attribute, place);
  if (targets.length === 0) {
    if (attribute.required !== true) return undefined;
    throw new Refused(
      `${place.path} is required, but there is no ${targetsOf(attribute).join(' or ')} left for it: create some first`,
    );
  }
  const isMorph = attribute.storage.kind === 'morph';
  const values = targets.map(({ uid, id }) => (isMorph ? { id, type: uid } : id));
  return attribute.many ? values : values[0];
}

/** A new small file where one is required. */
export async function randomMedia({ writer }: SeedContext, attribute: MediaAttribute): Promise<unknown> {
  if (attribute.required !== true) return undefined;
  const id = await writer.upload(attribute.allowedTypes ?? ALL_KINDS);
  return attribute.many ? [id] : id;
}
