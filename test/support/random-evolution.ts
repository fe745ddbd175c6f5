/** Random schemas, and random changes of them with what they do to the content. The same seed gives the same result. */
import type { Content, Entry } from './evolving-data.ts';
import { eachEntry, eachObject, move, renameTypes } from './evolving-steps.ts';

type Schema = any;
type Owner = readonly [kind: 'type' | 'component', name: string];

/** A change that was made to the schema. */
export interface RandomChange {
  readonly name: string;
  /** What it does to the content, apart from added and removed attributes. */
  readonly content: (content: Content) => void;
  /** Whether values are lost, so that it needs consent. */
  readonly isLossy: boolean;
  /** Whether the values of the database may prevent it. */
  readonly mayFail: boolean;
}

/** Numbers from 0 to 1, from a 32-bit seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 1_831_565_813) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SCALARS = [
  'string', 'text', 'richtext', 'email', 'uid', 'integer', 'biginteger', 'float', 'decimal', 'boolean', 'date', 'time',
  'datetime', 'json', 'blocks', 'enumeration',
] as const; // prettier-ignore
const IN_ITEMS = ['string', 'text', 'integer', 'biginteger', 'float', 'decimal', 'boolean', 'json'] as const;
const INDEXABLE = new Set(['string', 'integer', 'biginteger', 'float', 'decimal', 'date', 'datetime', 'enumeration']);
const DISTINCT = new Set(['string', 'text', 'integer', 'biginteger', 'decimal', 'date']);

const DEFAULTS: Readonly<Record<string, unknown>> = {
  string: "it's \\ new",
  text: 'text',
  integer: 7,
  biginteger: '90071992547409931',
  float: 0.25,
  decimal: '1.5',
  boolean: true,
  date: '2001-02-03',
  enumeration: 'idea',
};

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

const inverseOf: Readonly<Record<string, string>> = {
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
  oneToOne: 'oneToOne',
};

/** Makes changes to one schema, in place. */
export class RandomEvolution {
  readonly schema: Schema = {
    name: 'evolution',
    databases: ['sqlite', 'postgres', 'mysql'],
    locales: ['en', 'fr'],
    contentTypes: {},
    components: {},
  };
  readonly #random: () => number;
  /** Attributes, types and components that were added or changed since `next`. */
  #touched = new Set<unknown>();
  #names = 0;
  readonly #exchanged = new Set<string>();

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
    for (let count = 2 + this.#number(3); count > 0; count -= 1) this.#addType();
    // Media from the start: the table of files exists throughout, since it stays even when no attribute needs it any more.
    this.schema.contentTypes[this.#types()[0] ?? ''].attributes.file = { type: 'media' };
    for (let count = 2 + this.#number(2); count > 0; count -= 1) this.#addComponent();
    for (let count = 10 + this.#number(10); count > 0; count -= 1) this.#add();
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[this.#number(all.length)];
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }

  #name(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}`;
  }

  #types(): readonly string[] {
    return Object.keys(this.schema.contentTypes);
  }

  #components(): readonly string[] {
    return Object.keys(this.schema.components);
  }

  #definition([kind, name]: Owner): Schema {
    return kind === 'type' ? this.schema.contentTypes[name] : this.schema.components[name];
  }

  #owners(): readonly Owner[] {
    return [
      ...this.#types().map((name): Owner => ['type', name]),
      ...this.#components().map((name): Owner => ['component', name]),
    ];
  }

  /** An attribute that was not changed yet, for which `fits` holds. */
  #attribute(
    fits: (attribute: Schema, owner: Owner) => boolean,
  ): { owner: Owner; name: string; own: Schema } | undefined {
    const all = this.#owners().flatMap((owner) =>
      Object.entries<Schema>(this.#definition(owner).attributes).flatMap(([name, own]) =>
        !this.#touched.has(own) && name !== 'title' && name !== 'file' && fits(own, owner)
          ? [{ owner, name, own }]
          : [],
      ),
    );
    const found = this.#pick(all);
    if (found) this.#touched.add(found.own);
    return found;
  }

  #put(owner: Owner, name: string, own: Schema): void {
    this.#touched.add(own);
    this.#definition(owner).attributes[name] = own;
  }

  #addType(): void {
    const type = {
      attributes: { title: { type: 'string' } },
      ...(this.#chance(0.2) ? { draftAndPublish: true } : {}),
      ...(this.#chance(0.15) ? { localized: true } : {}),
    };
    this.#touched.add(type);
    this.schema.contentTypes[this.#name('type')] = type;
  }

  #addComponent(): void {
    const component = { attributes: { title: { type: 'string' } } };
    this.#touched.add(component);
    this.schema.components[`shared.${this.#name('part')}`] = component;
  }

  #scalar([kind]: Owner): Schema {
    const type = this.#pick<string>(kind === 'type' ? SCALARS : IN_ITEMS) ?? 'string';
    const own: Schema = { type };
    if (type === 'enumeration') own.enum = ['idea', 'ready', 'old'];
    if (kind === 'component') return own;
    if (type in DEFAULTS && this.#chance(0.3)) own.default = DEFAULTS[type];
    if (own.default !== undefined && this.#chance(0.6)) own.required = true;
    if (own.default === undefined && DISTINCT.has(type) && this.#chance(0.2)) own.unique = true;
    if (INDEXABLE.has(type) && this.#chance(0.3)) own.index = true;
    return own;
  }

  #relate(owner: Owner): void {
    const target = this.#pick(this.#types()) ?? '';
    const name = this.#name('relation');
    const relation = { type: 'relation', target };
    const kind = this.#number(owner[0] === 'type' ? 7 : 2);
    const pair = ['manyToOne', 'manyToMany', 'oneToOne'][kind - 2];
    if (kind === 0) this.#put(owner, name, { ...relation, relation: 'oneWay' });
    else if (kind === 1) this.#put(owner, name, { ...relation, relation: 'manyWay' });
    else if (pair !== undefined) {
      const other = this.#name('inverse');
      this.#put(owner, name, { ...relation, relation: pair, inversedBy: other });
      const inverse = { type: 'relation', relation: inverseOf[pair], target: owner[1], mappedBy: name };
      this.#put(['type', target], other, inverse);
    } else {
      const targets = [...new Set([target, this.#pick(this.#types()) ?? target])];
      this.#put(owner, name, { type: 'relation', relation: kind === 5 ? 'morphToOne' : 'morphToMany', targets });
    }
  }

  /** Components that may be nested in an owner without a cycle: those that come after it. */
  #nestable([kind, name]: Owner): readonly string[] {
    const all = this.#components();
    return kind === 'type' ? all : all.slice(all.indexOf(name) + 1);
  }

  /** Adds an attribute. */
  #add(): RandomChange | undefined {
    const owner = this.#pick(this.#owners());
    if (!owner) return undefined;
    const components = this.#nestable(owner);
    const kind = this.#number(8);
    if (kind < 3 || (components.length === 0 && kind > 5)) this.#put(owner, this.#name('value'), this.#scalar(owner));
    else if (kind < 5) this.#relate(owner);
    else if (kind === 5) {
      const more = this.#chance(0.5) ? { multiple: true } : {};
      this.#put(owner, this.#name('media'), { type: 'media', ...more });
    } else if (kind === 6 || owner[0] === 'component') {
      const more = this.#chance(0.5) ? { repeatable: true } : {};
      this.#put(owner, this.#name('items'), { type: 'component', component: this.#pick(components), ...more });
    } else {
      const some = components.filter(() => this.#chance(0.6));
      const zone = some.length > 0 ? some : components.slice(0, 1);
      this.#put(owner, this.#name('zone'), { type: 'dynamiczone', components: zone });
    }
    return { name: 'add', content: () => {}, isLossy: false, mayFail: false };
  }

  /** Whether values of an owner can be in the database: a component may not be used. */
  #isUsed([kind, name]: Owner): boolean {
    if (kind === 'type') return true;
    return this.#owners().some(
      (owner) =>
        Object.values<Schema>(this.#definition(owner).attributes).some(
          ({ component, components = [] }) => component === name || components.includes(name),
        ) && this.#isUsed(owner),
    );
  }

  /** The function that changes an attribute's value in all entries or items of its owner. */
  #eachValue([kind, owner]: Owner, name: string, change: (value: any) => unknown): (content: Content) => void {
    const edit = (entry: Entry): void => {
      if (name in entry && entry[name] !== undefined) entry[name] = change(entry[name]);
    };
    if (kind === 'type') return (content) => eachEntry(content, owner, edit);
    const visit = this.#itemVisitor(owner);
    return (content) => visit(content, edit);
  }

  /** Visits all items of a component, by the schema as it is now. */
  #itemVisitor(uid: string): (content: Content, edit: (item: Entry) => void) => void {
    const schema = structuredClone(this.schema);
    const walk = (attributes: Schema, entry: Entry, edit: (item: Entry) => void): void => {
      for (const [name, own] of Object.entries<Schema>(attributes)) {
        const value = entry[name];
        if (value === null || value === undefined || !/^(?:component|dynamiczone)$/u.test(own.type)) continue;
        for (const item of Array.isArray(value) ? value : [value]) {
          const component = own.component ?? item.__component;
          walk(schema.components[component]?.attributes ?? {}, item, edit);
          if (component === uid) edit(item);
        }
      }
    };
    return (content, edit) => {
      for (const [type, { attributes }] of Object.entries<Schema>(schema.contentTypes)) {
        eachEntry(content, type, (entry) => walk(attributes, entry, edit));
      }
    };
  }

  #moveValue([kind, owner]: Owner, names: Readonly<Record<string, string>>): (content: Content) => void {
    if (kind === 'type') return (content) => eachEntry(content, owner, (entry) => move(entry, names));
    const visit = this.#itemVisitor(owner);
    return (content) => visit(content, (item) => move(item, names));
  }

  /** Renames keys of an object, and keeps their order. */
  #rekey(all: Schema, names: Readonly<Record<string, string>>): void {
    const entries = Object.entries<Schema>(all).map(([key, own]) => {
      const to = names[key];
      if (to !== undefined) own.renamedFrom ??= key;
      return [to ?? key, own] as const;
    });
    for (const key of Object.keys(all)) delete all[key];
    Object.assign(all, Object.fromEntries(entries));
  }

  /** The attribute on the other side of a relation. */
  #other(own: Schema): Schema {
    const name = own.inversedBy ?? own.mappedBy;
    return name === undefined ? undefined : this.schema.contentTypes[own.target]?.attributes[name];
  }

  #renameAttribute(): RandomChange | undefined {
    const found = this.#attribute(() => true);
    if (!found) return undefined;
    const { owner, name, own } = found;
    const to = this.#name(this.#chance(0.2) ? name.toUpperCase().slice(0, 1) : 'renamed');
    const other = this.#other(own);
    const change = this.#moveValue(owner, { [name]: to });
    if (other) {
      if (other.mappedBy === name) other.mappedBy = to;
      else other.inversedBy = to;
    }
    this.#rekey(this.#definition(owner).attributes, { [name]: to });
    return { name: `rename ${owner[1]}.${name} to ${to}`, content: change, isLossy: false, mayFail: false };
  }

  #exchange(): RandomChange | undefined {
    const isPlain = (own: Schema): boolean => own.type !== 'relation';
    const first = this.#attribute(isPlain);
    const second = first && this.#attribute((own, owner) => isPlain(own) && owner[1] === first.owner[1]);
    // Exchanging the names back can't be distinguished from the first exchange.
    if (!second) return undefined;
    const pair = [first.owner[1], first.name, second.name].toSorted().join(' ');
    if (this.#exchanged.has(pair)) return undefined;
    this.#exchanged.add(pair);
    const names = { [first.name]: second.name, [second.name]: first.name };
    const content = this.#moveValue(first.owner, names);
    this.#rekey(this.#definition(first.owner).attributes, names);
    const name = `exchange ${first.owner[1]}.${first.name} and ${second.name}`;
    return { name, content, isLossy: false, mayFail: false };
  }

  #drop(): RandomChange | undefined {
    const found = this.#attribute((own) => own.mappedBy === undefined);
    if (!found) return undefined;
    const { owner, name, own } = found;
    if (own.inversedBy !== undefined) delete this.schema.contentTypes[own.target].attributes[own.inversedBy];
    delete this.#definition(owner).attributes[name];
    return { name: `drop ${owner[1]}.${name}`, content: () => {}, isLossy: this.#isUsed(owner), mayFail: false };
  }

  #convert(): RandomChange | undefined {
    const found = this.#attribute((own, [kind]) => {
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
    const [to, convert] = this.#pick(targets) ?? ['text', same];
    own.type = to;
    for (const option of ['default', 'required', 'unique', 'index', 'enum']) delete own[option];
    const content = this.#eachValue(owner, name, (value) => (value === null ? null : convert(value)));
    return { name: `convert ${owner[1]}.${name} from ${type} to ${to}`, content, isLossy: false, mayFail: false };
  }

  #replaceType(): RandomChange | undefined {
    const found = this.#attribute(
      (own, [kind]) => kind === 'type' && /^(?:integer|string|boolean|date)$/u.test(own.type),
    );
    if (!found) return undefined;
    const { owner, name, own } = found;
    for (const option of ['default', 'required', 'unique', 'index']) delete own[option];
    own.type = 'json';
    const content = this.#eachValue(owner, name, () => null);
    return { name: `replace ${owner[1]}.${name}`, content, isLossy: true, mayFail: false };
  }

  #require(): RandomChange | undefined {
    const found = this.#attribute((own, [kind]) => kind === 'type' && own.type in DEFAULTS && own.unique !== true);
    if (!found) return undefined;
    const { owner, name, own } = found;
    const label = `${owner[1]}.${name}`;
    if (own.required === true) {
      delete own.required;
      return { name: `no longer require ${label}`, content: () => {}, isLossy: false, mayFail: false };
    }
    own.required = true;
    if (this.#chance(0.2)) {
      delete own.default;
      return { name: `require ${label} without default`, content: () => {}, isLossy: true, mayFail: true };
    }
    own.default = DEFAULTS[own.type];
    const isDraft = (entry: Entry): boolean => entry['#published'] === false;
    const content = (all: Content): void =>
      eachEntry(all, owner[1], (entry) => {
        if (!isDraft(entry)) entry[name] ??= own.default;
      });
    return { name: `require ${label}`, content, isLossy: false, mayFail: false };
  }

  #makeUnique(): RandomChange | undefined {
    const found = this.#attribute(
      (own, [kind]) =>
        kind === 'type' && (DISTINCT.has(own.type) || own.type === 'boolean') && own.default === undefined,
    );
    if (!found) return undefined;
    const { owner, name, own } = found;
    const wasUnique = own.unique === true;
    if (wasUnique) delete own.unique;
    else own.unique = true;
    const label = `${wasUnique ? 'no longer ' : ''}unique ${owner[1]}.${name}`;
    return { name: label, content: () => {}, isLossy: !wasUnique, mayFail: !wasUnique };
  }

  #changeDefault(): RandomChange | undefined {
    const found = this.#attribute(
      (own, [kind]) => kind === 'type' && own.type in DEFAULTS && own.unique !== true && own.required !== true,
    );
    if (!found) return undefined;
    const { owner, name, own } = found;
    if (own.default === undefined) own.default = DEFAULTS[own.type];
    else delete own.default;
    return { name: `default of ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
  }

  #changeIndex(): RandomChange | undefined {
    // An index limits a text to 255 characters, which may need consent.
    const found = this.#attribute((own, [kind]) => kind === 'type' && INDEXABLE.has(own.type) && own.type !== 'string');
    if (!found) return undefined;
    const { owner, name, own } = found;
    if (own.index === true) delete own.index;
    else own.index = true;
    return { name: `index of ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
  }

  #changeEnum(): RandomChange | undefined {
    const found = this.#attribute((own) => own.type === 'enumeration' && own.enum.includes('ready'));
    if (!found) return undefined;
    const { owner, name, own } = found;
    own.enum = ['idea', 'plan', ...own.enum.filter((value: string) => value !== 'ready' && value !== 'idea')];
    own.enumFrom = { ready: 'plan' };
    const content = this.#eachValue(owner, name, (value) => (value === 'ready' ? 'plan' : value));
    return { name: `values of ${owner[1]}.${name}`, content, isLossy: false, mayFail: false };
  }

  #changeRelation(): RandomChange | undefined {
    const found = this.#attribute((own) => own.type === 'relation' && own.mappedBy === undefined);
    if (!found) return undefined;
    const { owner, name, own } = found;
    const label = `${owner[1]}.${name}`;
    const keeps = (what: string, content: (all: Content) => void = () => {}): RandomChange => {
      return { name: `${what} ${label}`, content, isLossy: false, mayFail: false };
    };
    const other = this.#other(own);
    if (other) this.#touched.add(other);
    const firstOnly = this.#eachValue(owner, name, (list) => (Array.isArray(list) ? list.slice(0, 1) : list));
    switch (own.relation) {
      case 'oneWay':
        if (owner[0] === 'type' && this.#chance(0.5)) return this.#addInverse(owner, name, own, 'manyToOne');
        own.relation = 'manyWay';
        return keeps('to many');
      case 'manyWay':
        if (owner[0] === 'type' && this.#chance(0.5)) return this.#addInverse(owner, name, own, 'manyToMany');
        own.relation = 'oneWay';
        return { ...keeps('to one', firstOnly), isLossy: this.#isUsed(owner) };
      case 'morphToOne':
        own.relation = 'morphToMany';
        return keeps('to many of several types');
      case 'morphToMany':
        own.relation = 'morphToOne';
        return { ...keeps('to one of several types', firstOnly), isLossy: this.#isUsed(owner) };
      case 'manyToOne':
        if (this.#chance(0.5)) return this.#dropInverse(owner, name, own, 'oneWay');
        Object.assign(own, { relation: 'manyToMany' });
        Object.assign(other, { relation: 'manyToMany' });
        return keeps('to many on both sides');
      case 'manyToMany': {
        const way = this.#number(3);
        if (way === 0) return this.#dropInverse(owner, name, own, 'manyWay');
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

  #addInverse(owner: Owner, name: string, own: Schema, relation: string): RandomChange {
    const inverse = this.#name('inverse');
    Object.assign(own, { relation, inversedBy: inverse });
    const { target } = own;
    this.#put(['type', target], inverse, {
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

  #dropInverse(owner: Owner, name: string, own: Schema, relation: string): RandomChange {
    delete this.schema.contentTypes[own.target].attributes[own.inversedBy];
    delete own.inversedBy;
    own.relation = relation;
    return { name: `no other side of ${owner[1]}.${name}`, content: () => {}, isLossy: true, mayFail: false };
  }

  #changeList(): RandomChange | undefined {
    const found = this.#attribute((own) => own.type === 'component' || own.type === 'media');
    if (!found) return undefined;
    const { owner, name, own } = found;
    const option = own.type === 'media' ? 'multiple' : 'repeatable';
    const isList = own[option] === true;
    if (isList) delete own[option];
    else own[option] = true;
    const label = `${isList ? 'one' : 'list'} ${owner[1]}.${name}`;
    const isMedia = own.type === 'media';
    const content = this.#eachValue(owner, name, (value) => {
      if (isMedia) return isList && Array.isArray(value) ? value.slice(0, 1) : value;
      if (value === null) return null;
      return isList ? (value[0] ?? null) : [value];
    });
    return { name: label, content, isLossy: isList && this.#isUsed(owner), mayFail: false };
  }

  #changeZone(): RandomChange | undefined {
    const found = this.#attribute((own) => own.type === 'dynamiczone');
    if (!found) return undefined;
    const { owner, name, own } = found;
    const added = this.#components().find((uid) => !own.components.includes(uid));
    if (added !== undefined && this.#chance(0.5)) {
      own.components = [...own.components, added];
      return { name: `into ${owner[1]}.${name}`, content: () => {}, isLossy: false, mayFail: false };
    }
    if (own.components.length < 2) return undefined;
    const [gone, ...rest] = own.components;
    own.components = rest;
    const content = this.#eachValue(
      owner,
      name,
      (value) => value?.filter((item: any) => item.__component !== gone) ?? null,
    );
    return { name: `out of ${owner[1]}.${name}`, content, isLossy: this.#isUsed(owner), mayFail: false };
  }

  #renameType(): RandomChange | undefined {
    const name = this.#pick(this.#types().filter((one) => !this.#touched.has(this.schema.contentTypes[one])));
    if (name === undefined) return undefined;
    this.#touched.add(this.schema.contentTypes[name]);
    if (this.#chance(0.3)) {
      this.schema.contentTypes[name].tableName = this.#name('table_');
      return { name: `table of ${name}`, content: () => {}, isLossy: false, mayFail: false };
    }
    const to = this.#name('kind');
    this.#rekey(this.schema.contentTypes, { [name]: to });
    for (const owner of this.#owners()) {
      for (const own of Object.values<Schema>(this.#definition(owner).attributes)) {
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

  #renameComponent(): RandomChange | undefined {
    const name = this.#pick(this.#components().filter((one) => !this.#touched.has(this.schema.components[one])));
    if (name === undefined) return undefined;
    this.#touched.add(this.schema.components[name]);
    const to = `other.${this.#name('part')}`;
    this.#rekey(this.schema.components, { [name]: to });
    for (const owner of this.#owners()) {
      for (const own of Object.values<Schema>(this.#definition(owner).attributes)) {
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

  #changeSettings(): RandomChange | undefined {
    const name = this.#pick(this.#types().filter((one) => !this.#touched.has(this.schema.contentTypes[one])));
    if (name === undefined) return undefined;
    const type = this.schema.contentTypes[name];
    this.#touched.add(type);
    if (type.localized !== true && this.#chance(0.4)) {
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

  #addTypeOrComponent(): RandomChange {
    if (this.#chance(0.5)) this.#addType();
    else this.#addComponent();
    return { name: 'add a type or a component', content: () => {}, isLossy: false, mayFail: false };
  }

  /** Makes up to `count` random changes. */
  next(count: number): readonly RandomChange[] {
    this.#touched = new Set();
    const kinds = [
      () => this.#add(),
      () => this.#add(),
      () => this.#renameAttribute(),
      () => this.#renameAttribute(),
      () => this.#exchange(),
      () => this.#drop(),
      () => this.#convert(),
      () => this.#convert(),
      () => this.#replaceType(),
      () => this.#require(),
      () => this.#makeUnique(),
      () => this.#changeDefault(),
      () => this.#changeIndex(),
      () => this.#changeEnum(),
      () => this.#changeRelation(),
      () => this.#changeRelation(),
      () => this.#changeRelation(),
      () => this.#changeList(),
      () => this.#changeList(),
      () => this.#changeZone(),
      () => this.#renameType(),
      () => this.#renameComponent(),
      () => this.#changeSettings(),
      () => this.#addTypeOrComponent(),
    ];
    return Array.from({ length: count }, () => this.#pick(kinds)?.()).filter((change) => change !== undefined);
  }
}
