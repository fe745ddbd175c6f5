/** Random values of relations and media: ids of existing entries and files. */
import type { MediaAttribute, RelationAttribute } from '../../contract/content-type.ts';
import { CommandRefused } from '../../base/command-errors.ts';
import type { SeedContext } from './context.ts';
import { isExclusive, targetsOf } from './links.ts';

/** Maximum number of targets of a to-many relation. */
const LONGEST_LIST = 4;
const ALL_KINDS = ['images'];

interface Target {
  readonly uid: string;
  readonly id: number;
}

/** The position of a value: for messages, and to distribute exclusive targets. */
export interface Place {
  readonly path: string;
  /** How many entries of the type were created before this one. */
  readonly index: number;
}

/** Random distinct targets. If the relation is exclusive, the n-th entry of a type gets the n-th target. */
function pickTargets(context: SeedContext, attribute: RelationAttribute, { index }: Place): readonly Target[] {
  const { pools, random } = context;
  const all = targetsOf(attribute).flatMap((uid) => (pools.get(uid) ?? []).map((id) => ({ uid, id })));
  if (isExclusive(attribute)) return all.slice(index, index + 1);
  const count = attribute.many ? Math.min(all.length, 1 + random.below(LONGEST_LIST)) : Math.min(all.length, 1);
  const chosen = new Set<Target>();
  while (chosen.size < count) chosen.add(random.pick(all));
  return [...chosen];
}

/** The value of a relation; undefined if there is no possible target. Throws CommandRefused if the relation is required. */
export function randomRelation(context: SeedContext, attribute: RelationAttribute, place: Place): unknown {
  const targets = pickTargets(context, attribute, place);
  if (targets.length === 0) {
    if (attribute.required !== true) return undefined;
    throw new CommandRefused(
      `${place.path} is required, but there is no ${targetsOf(attribute).join(' or ')} left for it: create some first`,
    );
  }
  const isMorph = attribute.storage.kind === 'morph';
  const values = targets.map(({ uid, id }) => (isMorph ? { id, type: uid } : id));
  return attribute.many ? values : values[0];
}

/** One of the images that there are; if there are none, and the attribute is required, uploads a small file. */
export async function randomMedia(
  { writer, random, images = [] }: SeedContext,
  attribute: MediaAttribute,
): Promise<unknown> {
  const kinds = attribute.allowedTypes ?? ALL_KINDS;
  const isKnown = images.length > 0 && kinds.includes('images');
  if (!isKnown && attribute.required !== true) return undefined;
  const id = isKnown ? random.pick(images) : await writer.upload(kinds);
  return attribute.many ? [id] : id;
}
