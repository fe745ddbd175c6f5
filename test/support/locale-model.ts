/**
 * A model of localized content: entries with a row per locale, values that all rows share, and relations between entries, each as
 * two lists that belong together. It knows what each row shows.
 */

/** The locales of the schema, the default first. */
export const LOCALES = ['en', 'fr', 'it'] as const;
export type Locale = (typeof LOCALES)[number];

export const TYPES = ['page', 'note', 'tag', 'part'] as const;
export type TypeName = (typeof TYPES)[number];

/** Types whose entries have locales. The entries of others have one row, which is in the model's first locale. */
export const LOCALIZED: ReadonlySet<TypeName> = new Set<TypeName>(['page', 'note']);

/** One side of a relation: an attribute of a type. `other`: the key of the other side, such as `note.pages`. */
interface Side {
  readonly targets: readonly TypeName[];
  readonly many: boolean;
  readonly other?: string;
}

function sides(
  key: string,
  targets: readonly TypeName[],
  many: boolean,
  inverse?: readonly [name: string, many: boolean],
): readonly (readonly [string, Side])[] {
  const [owner = ''] = key.split('.');
  if (!inverse) return [[key, { targets, many }]];
  const other = `${targets[0] ?? ''}.${inverse[0]}`;
  return [
    [key, { targets, many, other }],
    [other, { targets: [owner as TypeName], many: inverse[1], other: key }],
  ];
}

/** All sides of the relations that all locales share. */
export const SIDES: ReadonlyMap<string, Side> = new Map([
  ...sides('page.about', ['note'], false),
  ...sides('page.see', ['page'], true),
  ...sides('page.home', ['note'], false, ['pages', true]),
  ...sides('page.shelf', ['tag'], false, ['shelved', true]),
  ...sides('page.twin', ['note'], false, ['twinOf', false]),
  ...sides('page.mate', ['tag'], false, ['mateOf', false]),
  ...sides('page.notes', ['note'], true, ['onPages', true]),
  ...sides('page.tags', ['tag'], true, ['onPages', true]),
  ...sides('page.parent', ['page'], false, ['children', true]),
  ...sides('page.next', ['page'], false, ['previous', false]),
  ...sides('page.likes', ['page'], true, ['likedBy', true]),
  ...sides('page.any', ['note', 'tag'], true),
  ...sides('part.page', ['page'], false, ['parts', true]),
  ...sides('part.note', ['note'], false, ['part', false]),
]);

function attributeLine(name: string, { targets, many, other }: Side, isLocalized: boolean): string {
  const [otherType = '', otherName = ''] = (other ?? '').split('.');
  const isOther = other !== undefined && OWNED.has(other);
  const otherMany = other !== undefined && SIDES.get(other)?.many === true;
  const kind =
    targets.length > 1
      ? 'morphToMany'
      : other === undefined
        ? many
          ? 'manyWay'
          : 'oneWay'
        : `${otherMany ? 'many' : 'one'}To${many ? 'Many' : 'One'}`;
  const target = targets.length > 1 ? `targets: [${targets.join(', ')}]` : `target: ${targets[0] ?? ''}`;
  const side = otherType === '' ? '' : `, ${isOther ? 'mappedBy' : 'inversedBy'}: ${otherName}`;
  // It suffices that one side says so.
  const isSaidThere = isOther && LOCALIZED.has(otherType as TypeName);
  const shared = isLocalized && !isSaidThere ? ', localized: false' : '';
  return `      ${name}: { type: relation, relation: ${kind}, ${target}${side}${shared} }`;
}

/** The sides that own their relation: those listed first above. */
const OWNED: ReadonlySet<string> = new Set(
  [...SIDES].flatMap(([key, { other }], index, all) => {
    const place = all.findIndex(([name]) => name === other);
    return place === -1 || index < place ? [key] : [];
  }),
);

function relationLines(type: TypeName): string {
  const own = [...SIDES].filter(([key]) => key.startsWith(`${type}.`));
  return own.map(([key, side]) => attributeLine(key.slice(type.length + 1), side, LOCALIZED.has(type))).join('\n');
}

/** The schema that the model knows. Its server speaks both formats. */
export const SCHEMA = `
name: locales
databases: [sqlite, postgres, mysql]
locales: [${LOCALES.join(', ')}]
api: { format: v4, maxPopulatedPaths: 1000 }
permissions: { public: { '*': '*' } }
components:
  shared.card:
    attributes:
      label: { type: string, unique: true }
      one: { type: relation, relation: oneWay, target: note }
      list: { type: relation, relation: manyWay, target: note }
contentTypes:
  page:
    localized: true
    attributes:
      title: { type: string }
      rank: { type: integer, localized: false }
      code: { type: string, unique: true, localized: false }
      slug: { type: uid, targetField: code, required: true, localized: false }
      card: { type: component, component: shared.card, localized: false }
      cards: { type: component, component: shared.card, repeatable: true, localized: false }
      mine: { type: relation, relation: manyWay, target: tag }
${relationLines('page')}
  note:
    localized: true
    draftAndPublish: true
    attributes:
      title: { type: string }
${relationLines('note')}
  tag:
    attributes:
      title: { type: string }
${relationLines('tag')}
  part:
    attributes:
      title: { type: string }
${relationLines('part')}
`;

export interface Row {
  id: number;
  published: boolean;
  title: string | null;
  /** The tags that this locale alone has. */
  mine: Entry[];
}

/** A component item: it is replaced as a whole. */
export interface Card {
  readonly label: string | null;
  readonly one: Entry | undefined;
  readonly list: readonly Entry[];
}

export class Entry {
  documentId = '';
  rank: number | null = null;
  code: string | null = null;
  cards: Readonly<Record<'card' | 'cards', readonly Card[]>> = { card: [], cards: [] };
  readonly rows = new Map<Locale, Row>();
  readonly type: TypeName;

  constructor(type: TypeName) {
    this.type = type;
  }

  /** The locale in which a relation shows the entry, in a read in the locale `wanted`; undefined if nothing of it is visible. */
  shownLocale(wanted: Locale, live: boolean): Locale | undefined {
    const isVisible = (locale: Locale): boolean => {
      const row = this.rows.get(locale);
      return row !== undefined && (!live || row.published);
    };
    return [wanted, ...LOCALES].find(isVisible);
  }
}

export type Place = { readonly kind: 'start' | 'end' } | { readonly kind: 'before' | 'after'; readonly anchor: Entry };

/** The change of a relation. */
export type Change =
  | { readonly kind: 'set'; readonly entries: readonly Entry[] }
  | {
      readonly kind: 'change';
      readonly connect: readonly { readonly entry: Entry; readonly place: Place }[];
      readonly disconnect: readonly Entry[];
    };

/** What a write changes, besides relations. */
export interface Values {
  readonly title?: string | null;
  readonly rank?: number | null;
  readonly code?: string | null;
  readonly card?: Card | null;
  readonly cards?: readonly Card[];
  readonly mine?: readonly Entry[];
}

export class LocaleModel {
  readonly entries: Entry[] = [];
  readonly #lists = new Map<string, Map<Entry, Entry[]>>();

  list(key: string, entry: Entry): Entry[] {
    const lists = this.#lists.get(key) ?? new Map<Entry, Entry[]>();
    this.#lists.set(key, lists);
    const list = lists.get(entry) ?? [];
    lists.set(entry, list);
    return list;
  }

  #write(key: string, entry: Entry, members: readonly Entry[]): void {
    const list = this.list(key, entry);
    list.splice(0, list.length, ...members);
  }

  #remove(key: string, entry: Entry, member: Entry): void {
    this.#write(
      key,
      entry,
      this.list(key, entry).filter((one) => one !== member),
    );
  }

  /** The list after a change; undefined if an anchor is not in it. */
  #changed({ many }: Side, before: readonly Entry[], change: Change): Entry[] | undefined {
    if (change.kind === 'set') return many ? [...change.entries] : change.entries.slice(-1);
    if (!many) {
      const last = change.connect.at(-1);
      return last ? [last.entry] : before.filter((one) => !change.disconnect.includes(one));
    }
    let list = before.filter((one) => !change.disconnect.includes(one));
    for (const { entry, place } of change.connect) {
      list = list.filter((one) => one !== entry);
      const anchor = 'anchor' in place ? list.indexOf(place.anchor) : 0;
      if (anchor === -1) return undefined;
      const index = place.kind === 'start' ? 0 : place.kind === 'end' ? list.length : anchor;
      list.splice(place.kind === 'after' ? index + 1 : index, 0, entry);
    }
    return list;
  }

  /** Changes a relation from one side; false if that is impossible. */
  change(key: string, entry: Entry, change: Change): boolean {
    const side = SIDES.get(key);
    if (!side) throw new Error(key);
    const before = [...this.list(key, entry)];
    const after = this.#changed(side, before, change);
    if (!after) return false;
    const { other } = side;
    this.#write(key, entry, after);
    if (other === undefined) return true;
    for (const gone of before.filter((one) => !after.includes(one))) this.#remove(other, gone, entry);
    for (const added of after.filter((one) => !before.includes(one))) {
      if (SIDES.get(other)?.many) {
        this.list(other, added).push(entry);
        continue;
      }
      for (const former of this.list(other, added)) if (former !== entry) this.#remove(key, former, added);
      this.#write(other, added, [entry]);
    }
    return true;
  }

  /** Whether another entry has a value that may occur once. */
  isTaken(entry: Entry | undefined, { code, card, cards }: Values): boolean {
    const others = this.entries.filter((one) => one !== entry);
    if (typeof code === 'string' && others.some((one) => one.code === code)) return true;
    const labels = (all: readonly Card[]): string[] => all.flatMap(({ label }) => label ?? []);
    const own = { ...entry?.cards, ...(card !== undefined && { card: card ? [card] : [] }), ...(cards && { cards }) };
    const sent = labels([...(card ? [card] : []), ...(cards ?? [])]);
    const ofEntry = labels(Object.values(own).flat());
    const ofOthers = others.flatMap((one) => labels([...one.cards.card, ...one.cards.cards]));
    return sent.some((label) => ofOthers.includes(label) || ofEntry.filter((one) => one === label).length > 1);
  }

  apply(entry: Entry, locale: Locale, { title, rank, code, card, cards, mine }: Values): void {
    const row = entry.rows.get(locale);
    if (row && title !== undefined) row.title = title;
    if (row && mine !== undefined) row.mine = [...mine];
    if (rank !== undefined) entry.rank = rank;
    if (code !== undefined) entry.code = code;
    if (card !== undefined) entry.cards = { ...entry.cards, card: card ? [card] : [] };
    if (cards !== undefined) entry.cards = { ...entry.cards, cards };
  }

  removeRow(entry: Entry, locale: Locale): void {
    entry.rows.delete(locale);
    if (entry.rows.size > 0) return;
    this.entries.splice(this.entries.indexOf(entry), 1);
    for (const lists of this.#lists.values()) {
      lists.delete(entry);
      for (const [owner, members] of lists) {
        lists.set(
          owner,
          members.filter((one) => one !== entry),
        );
      }
    }
    for (const other of this.entries) {
      const without = (card: Card): Card => ({
        ...card,
        one: card.one === entry ? undefined : card.one,
        list: card.list.filter((one) => one !== entry),
      });
      other.cards = { card: other.cards.card.map(without), cards: other.cards.cards.map(without) };
      for (const row of other.rows.values()) row.mine = row.mine.filter((one) => one !== entry);
    }
  }
}
