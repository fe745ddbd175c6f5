/** Random changes of attributes. */
import type { Content } from './evolving-data.ts';
import { renameInIndexes } from './random-index-changes.ts';
import {
  canHaveDefault,
  defaultOf,
  DISTINCT,
  IN_ITEMS,
  INDEXABLE,
  type RandomChange,
  type RandomSchema,
  type Schema,
} from './random-schema.ts';

type Convert = (value: any) => unknown;
const same: Convert = (value) => value;
const asText: Convert = (value) => String(value);
const fromDay: Convert = (value) => `${value}T00:00:00.000Z`;

/** Conversions that keep the values. */
const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, Convert>>>> = {
  integer: { biginteger: asText, float: same, decimal: asText, string: asText, text: asText },
  biginteger: { decimal: asText, string: asText, text: asText },
  float: { string: asText, text: asText },
  decimal: { text: asText },
  boolean: { integer: Number, biginteger: (value) => String(Number(value)), string: asText, text: asText },
  date: { datetime: fromDay, string: same, text: same },
  time: { string: same, text: same },
  datetime: { string: same, text: same },
  string: { text: same, richtext: same },
  email: { string: same, text: same },
  text: { richtext: same },
  enumeration: { string: same, text: same },
  uid: { string: same },
};

export function renameAttribute(on: RandomSchema): RandomChange | undefined {
  const found = on.attributeToRename(() => true);
  if (!found) return undefined;
  const { owner, name, own } = found;
  const to = on.name(on.chance(0.2) ? name.toUpperCase().slice(0, 1) : 'renamed');
  const other = on.other(own);
  const change = on.moveValue(owner, { [name]: to });
  if (other) {
    if (other.mappedBy === name) other.mappedBy = to;
    else other.inversedBy = to;
  }
  renameInIndexes(on, owner, { [name]: to });
  on.rekey(on.definition(owner).attributes, { [name]: to });
  return { name: `rename ${owner[1]}.${name} to ${to}`, content: change, isLossy: false, mayFail: false };
}

export function exchange(on: RandomSchema): RandomChange | undefined {
  const isPlain = (own: Schema): boolean => own.type !== 'relation';
  const first = on.attributeToRename(isPlain);
  const second = first && on.attributeToRename((own, owner) => isPlain(own) && owner[1] === first.owner[1]);
  // Exchanging the names back can't be distinguished from the first exchange.
  if (!second) return undefined;
  const pair = [first.owner[1], first.name, second.name].toSorted().join(' ');
  if (on.exchanged.has(pair)) return undefined;
  on.exchanged.add(pair);
  const names = { [first.name]: second.name, [second.name]: first.name };
  const content = on.moveValue(first.owner, names);
  renameInIndexes(on, first.owner, names);
  on.rekey(on.definition(first.owner).attributes, names);
  const name = `exchange ${first.owner[1]}.${first.name} and ${second.name}`;
  return { name, content, isLossy: false, mayFail: false };
}

/** Renames an attribute to the name of another one, which is dropped. */
export function takeOver(on: RandomSchema): RandomChange | undefined {
  const isPlain = (own: Schema): boolean => own.type !== 'relation' && !on.renamed.has(own);
  const found = on.attribute(isPlain);
  const gone = found && on.attribute((own, owner) => isPlain(own) && owner[1] === found.owner[1]);
  if (!gone) return undefined;
  const { owner, name, own } = found;
  on.renamed.add(own);
  const names = { [name]: gone.name };
  const [empty, move] = [on.eachValue(owner, gone.name, () => undefined), on.moveValue(owner, names)];
  renameInIndexes(on, owner, names);
  delete on.definition(owner).attributes[gone.name];
  on.rekey(on.definition(owner).attributes, names);
  const content = (all: Content): void => {
    empty(all);
    move(all);
  };
  const label = `${owner[1]}.${name} in place of ${gone.name}`;
  // Also without values, the schema does not say by itself which of the two goes.
  return { name: label, content, isLossy: true, mayFail: false };
}

export function drop(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.mappedBy === undefined && !on.renamed.has(own));
  if (!found) return undefined;
  const { owner, name, own } = found;
  if (own.inversedBy !== undefined) delete on.schema.contentTypes[own.target].attributes[own.inversedBy];
  delete on.definition(owner).attributes[name];
  return { name: `drop ${owner[1]}.${name}`, content: () => {}, isLossy: on.isUsed(owner), mayFail: false };
}

export function convert(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own, [kind]) => {
    const targets = Object.keys(CONVERSIONS[own.type] ?? {});
    // Inside components, a boolean can't be converted.
    if (kind === 'component' && own.type === 'boolean') return false;
    return kind === 'type' ? targets.length > 0 : targets.some((type) => IN_ITEMS.some((other) => other === type));
  });
  if (!found) return undefined;
  const { owner, name, own } = found;
  const { type } = own;
  const targets = Object.entries(CONVERSIONS[type] ?? {}).filter(
    ([to]) => owner[0] === 'type' || IN_ITEMS.some((other) => other === to),
  );
  const [to, convert] = on.pick(targets) ?? ['text', same];
  own.type = to;
  for (const option of ['default', 'required', 'unique', 'index', 'enum', 'enumFrom']) delete own[option];
  const content = on.eachValue(owner, name, (value) => (value === null ? null : convert(value)));
  return { name: `convert ${owner[1]}.${name} from ${type} to ${to}`, content, isLossy: false, mayFail: false };
}

export function replaceType(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => /^(?:integer|string|boolean|date)$/u.test(own.type));
  if (!found) return undefined;
  const { owner, name, own } = found;
  for (const option of ['default', 'required', 'unique', 'index']) delete own[option];
  own.type = 'json';
  const content = on.eachValue(owner, name, () => (owner[0] === 'type' ? null : undefined));
  return { name: `replace ${owner[1]}.${name}`, content, isLossy: on.isUsed(owner), mayFail: false };
}

export function require(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => canHaveDefault(own) && own.unique !== true);
  if (!found) return undefined;
  const { owner, name, own } = found;
  const label = `${owner[1]}.${name}`;
  if (own.required === true) {
    delete own.required;
    return { name: `no longer require ${label}`, content: () => {}, isLossy: false, mayFail: false };
  }
  own.required = true;
  if (on.chance(0.2)) {
    delete own.default;
    const isLossy = owner[0] === 'type' || on.isUsed(owner);
    return { name: `require ${label} without default`, content: () => {}, isLossy, mayFail: isLossy };
  }
  own.default = defaultOf(own);
  return { name: `require ${label}`, content: () => {}, isLossy: false, mayFail: false, cannotUndo: true };
}

export function makeUnique(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute(
    (own, [kind]) => kind === 'type' && (DISTINCT.has(own.type) || own.type === 'boolean') && own.default === undefined,
  );
  if (!found) return undefined;
  const { owner, name, own } = found;
  const wasUnique = own.unique === true;
  if (wasUnique) delete own.unique;
  else own.unique = true;
  const label = `${wasUnique ? 'no longer ' : ''}unique ${owner[1]}.${name}`;
  return { name: label, content: () => {}, isLossy: !wasUnique, mayFail: !wasUnique };
}

export function changeDefault(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => canHaveDefault(own) && own.unique !== true && own.required !== true);
  if (!found) return undefined;
  const { owner, name, own } = found;
  if (own.default === undefined) own.default = defaultOf(own);
  else delete own.default;
  return { name: `default of ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
}

export function changeIndex(on: RandomSchema): RandomChange | undefined {
  // An index limits a text to 255 characters, which may need consent.
  const found = on.attribute((own, [kind]) => kind === 'type' && INDEXABLE.has(own.type) && own.type !== 'string');
  if (!found) return undefined;
  const { owner, name, own } = found;
  if (own.index === true) delete own.index;
  else own.index = true;
  return { name: `index of ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
}

export function changeEnum(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.type === 'enumeration' && own.enum.includes('ready'));
  if (!found) return undefined;
  const { owner, name, own } = found;
  own.enum = ['idea', 'plan', ...own.enum.filter((value: string) => value !== 'ready' && value !== 'idea')];
  own.enumFrom = { ready: 'plan' };
  if (own.default === 'ready') own.default = 'plan';
  const content = on.eachValue(owner, name, (value) => (value === 'ready' ? 'plan' : value));
  return { name: `values of ${owner[1]}.${name}`, content, isLossy: false, mayFail: false };
}

/** Takes a value of an enumeration away, or replaces it by another one that there is. */
export function shortenEnum(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.type === 'enumeration' && own.enum.length > 1);
  if (!found) return undefined;
  const { owner, name, own } = found;
  const gone = on.pick<string>(own.enum);
  own.enum = own.enum.filter((value: string) => value !== gone);
  if (own.default === gone) own.default = own.enum[0];
  if (gone === undefined || on.chance(0.3)) {
    const label = `no value ${gone} of ${owner[1]}.${name}`;
    return { name: label, content: () => {}, isLossy: on.isUsed(owner), mayFail: true };
  }
  const to = on.pick<string>(own.enum) ?? '';
  own.enumFrom = { [gone]: to };
  const content = on.eachValue(owner, name, (value) => (value === gone ? to : value));
  const label = `value ${gone} of ${owner[1]}.${name} becomes ${to}`;
  return { name: label, content, isLossy: false, mayFail: false, cannotUndo: true };
}

/** Lets all locales of an entry share a value (what follows is in random-sharing.ts), or gives each its own. */
export function changeSharing(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own, [kind, type]) => kind === 'type' && on.schema.contentTypes[type].localized === true);
  if (!found) return undefined;
  const { owner, name, own } = found;
  if (own.localized === false) delete own.localized;
  else own.localized = false;
  return { name: `sharing of ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
}
