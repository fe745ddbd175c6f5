/** Random changes of types and components, and of the attributes that hold components. */
import { mergeEntries, removeEntries, removeItems, removeLinks } from './evolving-removals.ts';
import type { Content } from './evolving-data.ts';
import { eachEntry, eachObject, renameTypes } from './evolving-steps.ts';
import type { RandomChange, RandomSchema, Schema } from './random-schema.ts';

export function changeList(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.type === 'component' || own.type === 'media');
  if (!found) return undefined;
  const { owner, name, own } = found;
  const option = own.type === 'media' ? 'multiple' : 'repeatable';
  const isList = own[option] === true;
  if (isList) delete own[option];
  else own[option] = true;
  const label = `${isList ? 'one' : 'list'} ${owner[1]}.${name}`;
  const isMedia = own.type === 'media';
  const content = on.eachValue(owner, name, (value) => {
    if (isMedia) return isList && Array.isArray(value) ? value.slice(0, 1) : value;
    if (value === null) return null;
    return isList ? (value[0] ?? null) : [value];
  });
  return { name: label, content, isLossy: isList && on.isUsed(owner), mayFail: false };
}

export function changeZone(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own) => own.type === 'dynamiczone');
  if (!found) return undefined;
  const { owner, name, own } = found;
  const added = on.components().find((uid) => !own.components.includes(uid));
  if (added !== undefined && on.chance(0.5)) {
    own.components = [...own.components, added];
    return { name: `into ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
  }
  if (own.components.length < 2) return undefined;
  const [gone, ...rest] = own.components;
  own.components = rest;
  const content = on.eachValue(owner, name, (value) => value?.filter((item: any) => item.__component !== gone) ?? null);
  return { name: `out of ${owner[1]}.${name}`, content, isLossy: on.isUsed(owner), mayFail: false };
}

export function renameType(on: RandomSchema): RandomChange | undefined {
  const isFree = (type: Schema): boolean => !on.added.has(type) && !on.renamed.has(type);
  const name = on.pick(on.types().filter((one) => isFree(on.schema.contentTypes[one])));
  if (name === undefined) return undefined;
  on.renamed.add(on.schema.contentTypes[name]);
  if (on.chance(0.3)) {
    on.schema.contentTypes[name].tableName = on.name('table_');
    return { name: `table of ${name}`, content: () => {}, isLossy: false, mayFail: false };
  }
  const to = on.name('kind');
  on.rekey(on.schema.contentTypes, { [name]: to });
  for (const owner of on.owners()) {
    for (const own of Object.values<Schema>(on.definition(owner).attributes)) {
      if (own.target === name) own.target = to;
      if (own.targets) own.targets = own.targets.map((one: string) => (one === name ? to : one));
    }
  }
  return {
    name: `rename ${name} to ${to}`,
    content: (all) => {
      // A further change of the step may have dropped it.
      if (!on.types().includes(to)) return;
      const [entries] = [all[name]];
      renameTypes(all, { [name]: to });
      if (entries === undefined) delete all[to];
    },
    isLossy: false,
    mayFail: false,
  };
}

export function renameComponent(on: RandomSchema): RandomChange | undefined {
  const name = on.pick(on.components().filter((one) => !on.added.has(on.schema.components[one])));
  if (name === undefined || on.renamed.has(on.schema.components[name])) return undefined;
  on.renamed.add(on.schema.components[name]);
  const to = `other.${on.name('part')}`;
  on.rekey(on.schema.components, { [name]: to });
  for (const owner of on.owners()) {
    for (const own of Object.values<Schema>(on.definition(owner).attributes)) {
      if (own.component === name) own.component = to;
      if (own.components) own.components = own.components.map((one: string) => (one === name ? to : one));
    }
  }
  const content = (all: Content): void =>
    eachObject(all, (object) => {
      if (object.__component === name) object.__component = to;
    });
  return { name: `rename ${name} to ${to}`, content, isLossy: false, mayFail: false };
}

/** A type whose settings were not changed yet. */
function typeToSet(on: RandomSchema): string | undefined {
  const name = on.pick(on.types().filter((one) => !on.touched.has(on.schema.contentTypes[one])));
  if (name !== undefined) on.touched.add(on.schema.contentTypes[name]);
  return name;
}

/** Whether an attribute must have a value, but there is none to give to entries without one. */
function lacksDefault(own: Schema): boolean {
  return own.required === true && own.default === undefined;
}

export function changeDrafts(on: RandomSchema): RandomChange | undefined {
  const name = typeToSet(on);
  if (name === undefined) return undefined;
  const type = on.schema.contentTypes[name];
  if (type.draftAndPublish === true) {
    delete type.draftAndPublish;
    const content = (all: Content): void => eachEntry(all, name, (entry) => delete entry['#published']);
    const mayFail = Object.values<Schema>(type.attributes).some(lacksDefault);
    return { name: `no drafts of ${name}`, content, isLossy: true, mayFail };
  }
  type.draftAndPublish = true;
  const content = (all: Content): void => eachEntry(all, name, (entry) => (entry['#published'] = true));
  return { name: `drafts of ${name}`, content, isLossy: false, mayFail: false };
}

/** Document → the id of the row that stays when only one locale of each does: the first of the list that it has. */
function firstLocales(all: Content, type: string, locales: readonly string[]): ReadonlyMap<unknown, string> {
  const rank = ([id, entry]: readonly [string, any]): number => locales.indexOf(entry['#locale']) * 1e6 + Number(id);
  const first = new Map<unknown, string>();
  for (const [id, entry] of Object.entries(all[type] ?? {}).toSorted((a, b) => rank(a) - rank(b))) {
    if (!first.has(entry['#document'])) first.set(entry['#document'], id);
  }
  return first;
}

export function changeLocales(on: RandomSchema): RandomChange | undefined {
  const name = typeToSet(on);
  if (name === undefined) return undefined;
  const type = on.schema.contentTypes[name];
  const former = on.formerName(['type', name]);
  if (type.localized !== true) {
    type.localized = true;
    const content = (all: Content): void => eachEntry(all, name, (entry) => (entry['#locale'] = 'en'));
    return { name: `locales of ${name}`, content, isLossy: false, mayFail: false };
  }
  delete type.localized;
  for (const own of Object.values<Schema>(type.attributes)) delete own.localized;
  const removes = (all: Content): void => {
    const { contentTypes: types, locales } = on.former;
    const kept = new Map(Object.keys(types).map((one) => [one, firstLocales(all, one, locales)]));
    const isKept = (one: string): boolean =>
      types[one].localized !== true ||
      on.types().some((now) => on.formerName(['type', now]) === one && on.schema.contentTypes[now].localized === true);
    mergeEntries(all, {
      types,
      type: former,
      stays: (one, id) => (isKept(one) ? id : (kept.get(one)?.get(all[one]?.[id]?.['#document']) ?? id)),
      localeOf: (one, entry) => (isKept(one) ? entry['#locale'] : undefined),
    });
  };
  const mayFail = Object.values<Schema>(type.attributes).some(lacksDefault);
  return { name: `no locales of ${name}`, content: () => {}, removes, isLossy: true, mayFail };
}

/** Adds a locale, or takes one away other than the default. */
export function changeLocaleList(on: RandomSchema): RandomChange | undefined {
  const { schema, former } = on;
  if (on.touched.has('locales')) return undefined;
  on.touched.add('locales');
  const [first, gone, ...rest] = schema.locales;
  if (rest.length === 0) {
    schema.locales = [first, gone, gone === 'fr' ? 'de' : 'fr'];
    return { name: 'another locale', content: () => {}, isLossy: false, mayFail: false };
  }
  schema.locales = [first, ...rest];
  const isLocalized = ({ contentTypes }: Schema): boolean =>
    Object.values<Schema>(contentTypes).some(({ localized }) => localized === true);
  const removes = (all: Content): void => {
    for (const name of on.types()) {
      const own = on.formerName(['type', name]);
      const isMeant = schema.contentTypes[name].localized === true && former.contentTypes[own]?.localized === true;
      if (isMeant) removeEntries(all, own, (id) => all[own]?.[id]?.['#locale'] === gone);
    }
  };
  return {
    name: `no locale ${gone}`,
    content: () => {},
    removes,
    // Types may become localized, or no longer be, by further changes of this step.
    get isLossy() {
      return isLocalized(former) && isLocalized(schema);
    },
    mayFail: false,
  };
}

/** Gives document ids to all entries, or takes them away. */
export function changeFormat(on: RandomSchema): RandomChange | undefined {
  const { schema } = on;
  if (on.touched.has('format')) return undefined;
  on.touched.add('format');
  if (schema.api === undefined) {
    schema.api = { format: on.chance(0.5) ? 'v4' : 'v5' };
    return { name: 'document ids', content: () => {}, isLossy: false, mayFail: false };
  }
  if (on.chance(0.5)) {
    schema.api.format = schema.api.format === 'v4' ? 'v5' : 'v4';
    return { name: 'another format', content: () => {}, isLossy: false, mayFail: false };
  }
  delete schema.api;
  return { name: 'no document ids', content: () => {}, isLossy: true, mayFail: false };
}

/** Removes the attributes that relate to a type, such as other sides of its own, and the type from those with several targets. */
function unrelate(on: RandomSchema, target: string): void {
  for (const owner of on.owners()) {
    const { attributes } = on.definition(owner);
    for (const [name, own] of Object.entries<Schema>(attributes)) {
      if (own.targets) own.targets = own.targets.filter((one: string) => one !== target);
      if (own.target === target || own.targets?.length === 0) delete attributes[name];
    }
  }
}

export function dropType(on: RandomSchema): RandomChange | undefined {
  const isKept = (type: Schema): boolean => on.added.has(type) || type.attributes.file !== undefined;
  const name = on.pick(on.types().filter((one) => !isKept(on.schema.contentTypes[one])));
  if (name === undefined || on.targets().length < 3) return undefined;
  const former = on.formerName(['type', name]);
  delete on.schema.contentTypes[name];
  unrelate(on, name);
  const removes = (all: Content): void => removeLinks(all, (type) => type === former);
  return { name: `drop ${name}`, content: () => {}, removes, isLossy: true, mayFail: false };
}

export function dropComponent(on: RandomSchema): RandomChange | undefined {
  const name = on.pick(on.components().filter((one) => !on.added.has(on.schema.components[one])));
  if (name === undefined || on.components().length < 2) return undefined;
  const former = on.formerName(['component', name]);
  const isLossy = on.isUsed(['component', name]);
  for (const owner of on.owners()) {
    const { attributes } = on.definition(owner);
    for (const [key, own] of Object.entries<Schema>(attributes)) {
      if (own.components) own.components = own.components.filter((one: string) => one !== name);
      if (own.component === name || own.components?.length === 0) delete attributes[key];
    }
  }
  delete on.schema.components[name];
  const removes = (all: Content): void => removeItems(all, former);
  return { name: `drop ${name}`, content: () => {}, removes, isLossy, mayFail: false };
}

/** Puts another component into the place of one. */
export function replaceComponent(on: RandomSchema): RandomChange | undefined {
  const found = on.attribute((own, owner) => own.type === 'component' && on.nestable(owner).length > 1);
  if (!found) return undefined;
  const { owner, name, own } = found;
  const to = on.pick(on.nestable(owner).filter((one) => one !== own.component));
  const content = on.eachValue(owner, name, () => (owner[0] === 'type' ? null : undefined));
  const label = `${to} in place of ${own.component} in ${owner[1]}.${name}`;
  own.component = to;
  return { name: label, content, isLossy: on.isUsed(owner), mayFail: false };
}

export function addTypeOrComponent(on: RandomSchema): RandomChange {
  if (on.chance(0.5)) on.addType();
  else on.addComponent();
  return { name: 'add a type or a component', content: () => {}, isLossy: false, mayFail: false };
}
