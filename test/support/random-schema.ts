/** A random schema, and what changes of it need: names, choices, and visits of content. */
import type { Content, Entry } from './evolving-data.ts';
import { eachEntry, move } from './evolving-steps.ts';

export type Schema = any;
/** Where an attribute is. */
export type Owner = readonly [kind: 'type' | 'component', name: string];

/** A change that was made to the schema. */
export interface RandomChange {
  readonly name: string;
  /** What it does to the content, apart from added and removed attributes. */
  readonly content: (content: Content) => void;
  /** Whether values are lost, so that it needs consent. */
  readonly isLossy: boolean;
  /** Whether the values of the database may prevent it. */
  readonly mayFail: boolean;
  /** What it deletes before all other changes of its step, which see the names from before the step. */
  readonly removes?: (content: Content) => void;
  /** Whether undoing can't restore all values, although none needed consent. */
  readonly cannotUndo?: true;
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
export const IN_ITEMS = [
  'string', 'text', 'integer', 'biginteger', 'float', 'decimal', 'boolean', 'json', 'date', 'time', 'datetime',
  'enumeration',
] as const; // prettier-ignore
export const INDEXABLE = new Set([
  'string',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'date',
  'datetime',
  'enumeration',
]);
export const DISTINCT = new Set(['string', 'text', 'integer', 'biginteger', 'decimal', 'date']);

export const DEFAULTS: Readonly<Record<string, unknown>> = {
  string: "it's \\ new",
  text: 'text',
  integer: 7,
  biginteger: '90071992547409931',
  float: 0.25,
  decimal: '1.5',
  boolean: true,
  date: '2001-02-03',
};

/** A default for an attribute of a type that has one in `DEFAULTS`. */
export function defaultOf({ type, enum: [first] = [] }: Schema): unknown {
  return type === 'enumeration' ? first : DEFAULTS[type];
}

/** Whether an attribute can have a default. */
export function canHaveDefault({ type }: Schema): boolean {
  return type === 'enumeration' || type in DEFAULTS;
}

/** The relation on the other side, by the one that is stored. */
export const inverseOf: Readonly<Record<string, string>> = {
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
  oneToOne: 'oneToOne',
};

/** A schema that is changed in place. The same seed gives the same one. */
export class RandomSchema {
  readonly schema: Schema = {
    name: 'evolution',
    databases: ['sqlite', 'postgres', 'mysql'],
    locales: ['en', 'fr'],
    contentTypes: {},
    components: {},
  };
  readonly #random: () => number;
  #names = 0;
  /** The schema before this step. */
  former: Schema;
  /** Attributes, types and components that were added or changed in this step, apart from renames. */
  readonly touched = new Set<unknown>();
  /** Those that were renamed in this step. */
  readonly renamed = new Set<unknown>();
  /** Those that were added in this step. */
  readonly added = new Set<unknown>();
  /** Pairs of attributes whose names were exchanged. */
  readonly exchanged = new Set<string>();

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
    for (let count = 2 + this.number(3); count > 0; count -= 1) this.addType();
    // Media from the start: the table of files exists throughout, since it stays even when no attribute needs it any more.
    this.schema.contentTypes[this.types()[0] ?? ''].attributes.file = { type: 'media' };
    for (let count = 2 + this.number(2); count > 0; count -= 1) this.addComponent();
    for (let count = 10 + this.number(10); count > 0; count -= 1) this.add();
    this.former = structuredClone(this.schema);
  }

  /** Begins a step: everything can be changed again. Replacements of values were carried out by the step before. */
  begin(): void {
    for (const changed of [this.touched, this.renamed, this.added]) changed.clear();
    for (const owner of this.owners()) {
      for (const own of Object.values<Schema>(this.definition(owner).attributes)) delete own.enumFrom;
    }
    this.former = structuredClone(this.schema);
  }

  number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  pick<T>(all: readonly T[]): T | undefined {
    return all[this.number(all.length)];
  }

  chance(of: number): boolean {
    return this.#random() < of;
  }

  name(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}`;
  }

  types(): readonly string[] {
    return Object.keys(this.schema.contentTypes);
  }

  /** Types that relations can lead to. */
  targets(): readonly string[] {
    return this.types().filter((type) => this.schema.contentTypes[type].kind !== 'singleType');
  }

  components(): readonly string[] {
    return Object.keys(this.schema.components);
  }

  definition([kind, name]: Owner): Schema {
    return kind === 'type' ? this.schema.contentTypes[name] : this.schema.components[name];
  }

  owners(): readonly Owner[] {
    return [
      ...this.types().map((name): Owner => ['type', name]),
      ...this.components().map((name): Owner => ['component', name]),
    ];
  }

  #attribute(
    fits: (attribute: Schema, owner: Owner) => boolean,
    isFree: (own: Schema) => boolean,
  ): { owner: Owner; name: string; own: Schema } | undefined {
    const all = this.owners().flatMap((owner) =>
      Object.entries<Schema>(this.definition(owner).attributes).flatMap(([name, own]) =>
        isFree(own) && name !== 'title' && name !== 'file' && fits(own, owner) ? [{ owner, name, own }] : [],
      ),
    );
    return this.pick(all);
  }

  /** An attribute that was not changed yet, for which `fits` holds. It may have been renamed. */
  attribute(
    fits: (attribute: Schema, owner: Owner) => boolean,
  ): { owner: Owner; name: string; own: Schema } | undefined {
    const found = this.#attribute(fits, (own) => !this.touched.has(own));
    if (found) this.touched.add(found.own);
    return found;
  }

  /** An attribute to rename. It may have been changed. */
  attributeToRename(
    fits: (attribute: Schema, owner: Owner) => boolean,
  ): { owner: Owner; name: string; own: Schema } | undefined {
    const found = this.#attribute(fits, (own) => !this.added.has(own) && !this.renamed.has(own));
    if (found) this.renamed.add(found.own);
    return found;
  }

  put(owner: Owner, name: string, own: Schema): void {
    this.touched.add(own);
    this.added.add(own);
    this.definition(owner).attributes[name] = own;
  }

  /** What a type or component was called before this step. */
  formerName(owner: Owner): string {
    return this.definition(owner).renamedFrom ?? owner[1];
  }

  addType(): void {
    const type = {
      // The first two types are collections, so that there is something to relate to.
      ...(this.types().length > 1 && this.chance(0.2) ? { kind: 'singleType' } : {}),
      attributes: { title: { type: 'string' } },
      ...(this.chance(0.3) ? { draftAndPublish: true } : {}),
      ...(this.chance(0.3) ? { localized: true } : {}),
    };
    this.touched.add(type);
    this.added.add(type);
    this.schema.contentTypes[this.name('type')] = type;
  }

  addComponent(): void {
    const component = { attributes: { title: { type: 'string' } } };
    this.touched.add(component);
    this.added.add(component);
    this.schema.components[`shared.${this.name('part')}`] = component;
  }

  scalar([kind]: Owner): Schema {
    const type = this.pick<string>(kind === 'type' ? SCALARS : IN_ITEMS) ?? 'string';
    const own: Schema = { type };
    if (type === 'enumeration') own.enum = ['idea', 'ready', 'old'];
    if (canHaveDefault(own) && this.chance(0.3)) own.default = defaultOf(own);
    if (own.default !== undefined && this.chance(0.6)) own.required = true;
    if (kind === 'component') return own;
    if (own.default === undefined && DISTINCT.has(type) && this.chance(0.2)) own.unique = true;
    if (INDEXABLE.has(type) && this.chance(0.3)) own.index = true;
    return own;
  }

  relate(owner: Owner): void {
    const target = this.pick(this.targets()) ?? '';
    const name = this.name('relation');
    const relation = { type: 'relation', target };
    const isTarget = owner[0] === 'type' && this.targets().includes(owner[1]);
    const kind = this.number(isTarget ? 7 : 2);
    const pair = ['manyToOne', 'manyToMany', 'oneToOne'][kind - 2];
    if (kind === 0) this.put(owner, name, { ...relation, relation: 'oneWay' });
    else if (kind === 1) this.put(owner, name, { ...relation, relation: 'manyWay' });
    else if (pair !== undefined) {
      const other = this.name('inverse');
      this.put(owner, name, { ...relation, relation: pair, inversedBy: other });
      const inverse = { type: 'relation', relation: inverseOf[pair], target: owner[1], mappedBy: name };
      this.put(['type', target], other, inverse);
    } else {
      const targets = [...new Set([target, this.pick(this.targets()) ?? target])];
      this.put(owner, name, { type: 'relation', relation: kind === 5 ? 'morphToOne' : 'morphToMany', targets });
    }
  }

  /** Components that may be nested in an owner without a cycle: those that come after it. */
  nestable([kind, name]: Owner): readonly string[] {
    const all = this.components();
    return kind === 'type' ? all : all.slice(all.indexOf(name) + 1);
  }

  /** Adds an attribute. */
  add(): RandomChange | undefined {
    const owner = this.pick(this.owners());
    if (!owner) return undefined;
    const components = this.nestable(owner);
    const kind = this.number(8);
    if (kind < 3 || (components.length === 0 && kind > 5)) {
      const own = this.scalar(owner);
      this.put(owner, this.name('value'), own);
      // The default stays in items.
      const cannotUndo = owner[0] === 'component' && own.default !== undefined;
      const more = cannotUndo ? { cannotUndo } : {};
      return { name: 'add', content: () => {}, isLossy: false, mayFail: false, ...more };
    }
    if (kind < 5) this.relate(owner);
    else if (kind === 5) {
      const more = this.chance(0.5) ? { multiple: true } : {};
      this.put(owner, this.name('media'), { type: 'media', ...more });
    } else if (kind === 6 || owner[0] === 'component') {
      const more = this.chance(0.5) ? { repeatable: true } : {};
      this.put(owner, this.name('items'), { type: 'component', component: this.pick(components), ...more });
    } else {
      const some = components.filter(() => this.chance(0.6));
      const zone = some.length > 0 ? some : components.slice(0, 1);
      this.put(owner, this.name('zone'), { type: 'dynamiczone', components: zone });
    }
    return { name: 'add', content: () => {}, isLossy: false, mayFail: false };
  }

  /** Whether values of an owner can be in the database: it may be new, or a component that was not used. */
  isUsed(owner: Owner): boolean {
    const isIn = ([kind, name]: Owner): boolean => {
      const { contentTypes, components } = this.former;
      if (kind === 'type') return name in contentTypes;
      const users = [
        ...Object.entries<Schema>(contentTypes).map(([type, own]) => [['type', type] as const, own] as const),
        ...Object.entries<Schema>(components).map(([uid, own]) => [['component', uid] as const, own] as const),
      ];
      return users.some(
        ([user, { attributes }]) =>
          Object.values<Schema>(attributes).some((own) => own.component === name || own.components?.includes(name)) &&
          isIn(user),
      );
    };
    return !this.added.has(this.definition(owner)) && isIn([owner[0], this.formerName(owner)]);
  }

  /** The function that changes an attribute's value in all entries or items of its owner. */
  eachValue([kind, owner]: Owner, name: string, change: (value: any) => unknown): (content: Content) => void {
    const edit = (entry: Entry): void => {
      if (name in entry && entry[name] !== undefined) entry[name] = change(entry[name]);
    };
    if (kind === 'type') return (content) => eachEntry(content, owner, edit);
    const visit = this.itemVisitor(owner);
    return (content) => visit(content, edit);
  }

  /** Visits all items of a component, by the schema as it is now. */
  itemVisitor(uid: string): (content: Content, edit: (item: Entry) => void) => void {
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

  moveValue([kind, owner]: Owner, names: Readonly<Record<string, string>>): (content: Content) => void {
    if (kind === 'type') return (content) => eachEntry(content, owner, (entry) => move(entry, names));
    const visit = this.itemVisitor(owner);
    return (content) => visit(content, (item) => move(item, names));
  }

  /** Renames keys of an object, and keeps their order. */
  rekey(all: Schema, names: Readonly<Record<string, string>>): void {
    const entries = Object.entries<Schema>(all).map(([key, own]) => {
      const to = names[key];
      if (to !== undefined) own.renamedFrom ??= key;
      return [to ?? key, own] as const;
    });
    for (const key of Object.keys(all)) delete all[key];
    Object.assign(all, Object.fromEntries(entries));
  }

  /** The attribute on the other side of a relation. */
  other(own: Schema): Schema {
    const name = own.inversedBy ?? own.mappedBy;
    return name === undefined ? undefined : this.schema.contentTypes[own.target]?.attributes[name];
  }
}
