/** Random changes of relations: of what they are stored as, and of their other side. */
import type { Content } from './evolving-data.ts';
import { eachEntry } from './evolving-steps.ts';
import { inverseOf, type Owner, type RandomChange, type RandomSchema, type Schema } from './random-schema.ts';

function addInverse(on: RandomSchema, owner: Owner, name: string, own: Schema, relation: string): RandomChange {
  const inverse = on.name('inverse');
  Object.assign(own, { relation, inversedBy: inverse });
  const { target } = own;
  on.put(['type', target], inverse, {
    type: 'relation',
    relation: inverseOf[relation],
    target: owner[1],
    mappedBy: name,
  });
  const content = (all: Content): void => {
    eachEntry(all, target, (entry) => (entry[inverse] = []));
    for (const [id, entry] of Object.entries(all[owner[1]] ?? {})) {
      for (const [, row] of entry[name] ?? []) all[target]?.[row]?.[inverse].push([owner[1], Number(id)]);
    }
  };
  return { name: `another side of ${owner[1]}.${name}`, content, isLossy: false, mayFail: false };
}

function dropInverse(on: RandomSchema, owner: Owner, name: string, own: Schema, relation: string): RandomChange {
  delete on.schema.contentTypes[own.target].attributes[own.inversedBy];
  delete own.inversedBy;
  own.relation = relation;
  return { name: `no other side of ${owner[1]}.${name}`, content: () => {}, isLossy: true, mayFail: false };
}

export function changeRelation(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.type === 'relation' && own.mappedBy === undefined);
  if (!found) return undefined;
  const { owner, name, own } = found;
  const label = `${owner[1]}.${name}`;
  const keeps = (what: string, content: (all: Content) => void = () => {}): RandomChange => {
    return { name: `${what} ${label}`, content, isLossy: false, mayFail: false };
  };
  const other = on.other(own);
  if (other) on.touched.add(other);
  const canHaveInverse = owner[0] === 'type' && on.targets().includes(owner[1]);
  const firstOnly = on.eachValue(owner, name, (list) => (Array.isArray(list) ? list.slice(0, 1) : list));
  switch (own.relation) {
    case 'oneWay':
      if (canHaveInverse && on.chance(0.5)) return addInverse(on, owner, name, own, 'manyToOne');
      own.relation = 'manyWay';
      return keeps('to many');
    case 'manyWay':
      if (canHaveInverse && on.chance(0.5)) return addInverse(on, owner, name, own, 'manyToMany');
      own.relation = 'oneWay';
      return { ...keeps('to one', firstOnly), isLossy: on.isUsed(owner) };
    case 'morphToOne':
      own.relation = 'morphToMany';
      return keeps('to many of several types');
    case 'morphToMany':
      own.relation = 'morphToOne';
      return { ...keeps('to one of several types', firstOnly), isLossy: on.isUsed(owner) };
    case 'manyToOne':
      if (on.chance(0.5)) return dropInverse(on, owner, name, own, 'oneWay');
      Object.assign(own, { relation: 'manyToMany' });
      Object.assign(other, { relation: 'manyToMany' });
      return keeps('to many on both sides');
    case 'manyToMany': {
      const way = on.number(3);
      if (way === 0) return dropInverse(on, owner, name, own, 'manyWay');
      if (way === 1) {
        [own.mappedBy, other.inversedBy] = [own.inversedBy, other.mappedBy];
        delete own.inversedBy;
        delete other.mappedBy;
        return keeps('stored on the other side');
      }
      Object.assign(own, { relation: 'manyToOne' });
      Object.assign(other, { relation: 'oneToMany' });
      const inverse = own.inversedBy;
      const { target } = own;
      return {
        ...keeps('to one, with another side', (all) => {
          firstOnly(all);
          for (const [id, entry] of Object.entries(all[target] ?? {})) {
            entry[inverse] = (entry[inverse] ?? []).filter(
              ([, row]: [string, number]) => all[owner[1]]?.[row]?.[name]?.[0]?.[1] === Number(id),
            );
          }
        }),
        isLossy: true,
      };
    }
    default:
      Object.assign(own, { relation: 'manyToOne' });
      Object.assign(other, { relation: 'oneToMany' });
      return keeps('shared by many');
  }
}

/** Relates an attribute without another side to another type. */
export function changeTarget(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.relation === 'oneWay' || own.relation === 'manyWay');
  if (!found) return undefined;
  const { owner, name, own } = found;
  const to = on.pick(on.targets().filter((type) => type !== own.target));
  if (to === undefined) return undefined;
  own.target = to;
  const content = on.eachValue(owner, name, () => []);
  return { name: `${owner[1]}.${name} relates to ${to}`, content, isLossy: on.isUsed(owner), mayFail: false };
}

/** Gives a relation to several types one more, or takes one away. */
export function changeTargets(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.targets !== undefined);
  if (!found) return undefined;
  const { owner, name, own } = found;
  const added = on.pick(on.targets().filter((type) => !own.targets.includes(type)));
  if (added !== undefined && on.chance(0.5)) {
    own.targets = [...own.targets, added];
    return { name: `${added} into ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
  }
  if (own.targets.length < 2) return undefined;
  const [gone, ...rest] = own.targets;
  own.targets = rest;
  const isLossy = !on.added.has(on.schema.contentTypes[gone]);
  const content = on.eachValue(owner, name, (list) => list.filter(([type]: [string]) => type !== gone));
  return { name: `${gone} out of ${owner[1]}.${name}`, content, isLossy, mayFail: false };
}
