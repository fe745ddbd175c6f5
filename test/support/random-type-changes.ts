/** Random changes of types and components, and of the attributes that hold components. */
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
  const name = on.pick(on.types().filter((one) => !on.touched.has(on.schema.contentTypes[one])));
  if (name === undefined) return undefined;
  on.touched.add(on.schema.contentTypes[name]);
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
      const [entries] = [all[name]];
      renameTypes(all, { [name]: to });
      if (entries === undefined) delete all[to];
    },
    isLossy: false,
    mayFail: false,
  };
}

export function renameComponent(on: RandomSchema): RandomChange | undefined {
  const name = on.pick(on.components().filter((one) => !on.touched.has(on.schema.components[one])));
  if (name === undefined) return undefined;
  on.touched.add(on.schema.components[name]);
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

export function changeSettings(on: RandomSchema): RandomChange | undefined {
  const name = on.pick(on.types().filter((one) => !on.touched.has(on.schema.contentTypes[one])));
  if (name === undefined) return undefined;
  const type = on.schema.contentTypes[name];
  on.touched.add(type);
  if (type.localized !== true && on.chance(0.4)) {
    type.localized = true;
    const content = (all: Content): void => eachEntry(all, name, (entry) => (entry['#locale'] = 'en'));
    return { name: `locales of ${name}`, content, isLossy: false, mayFail: false };
  }
  if (type.draftAndPublish === true) {
    delete type.draftAndPublish;
    return { name: `no drafts of ${name}`, content: () => {}, isLossy: true, mayFail: true };
  }
  type.draftAndPublish = true;
  const content = (all: Content): void => eachEntry(all, name, (entry) => (entry['#published'] = true));
  return { name: `drafts of ${name}`, content, isLossy: false, mayFail: false };
}

export function addTypeOrComponent(on: RandomSchema): RandomChange {
  if (on.chance(0.5)) on.addType();
  else on.addComponent();
  return { name: 'add a type or a component', content: () => {}, isLossy: false, mayFail: false };
}
