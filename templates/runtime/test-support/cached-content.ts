/** Random writes to the project `cached`, and the addresses whose answers they change. */

/** Sends a write of a body's data; answers the data of the response. */
export type SendWrite = (method: string, path: string, data?: unknown) => Promise<any>;

/** Repeatable random numbers: each from 0 to below a bound. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

export interface CachedContent {
  /** Three entries of each type. */
  fill(): Promise<void>;
  /** A random write; answers what it was. */
  write(): Promise<string>;
  /** The paths below `/api/` that visitors may read. */
  paths(): readonly string[];
}

const LISTS = [
  'articles?populate=tags&sort=title',
  'articles?populate=*',
  'articles?filters[section]=a',
  'articles?filters[tags][name][$contains]=1&fields[0]=title',
  'articles?sort=author.name',
  'tags?populate[articles][populate]=author',
  'authors?populate=articles&pagination[pageSize]=2',
  'articles?populate[facts][populate]=about',
  'articles?filters[author][id]=1',
  'articles?filters[author][id]=2&sort=section&populate=author',
  'articles?filters[author][name]=author 3&sort=title',
  'articles?filters[author][articles][section]=a',
  'articles?filters[$or][0][section]=b&filters[$or][1][author][id][$null]=true',
  'articles?filters[title][$in][0]=title 1&filters[title][$in][1]=title 2&filters[section]=a',
  'articles?filters[section][$ne]=a&sort=updatedAt:desc&pagination[pageSize]=2',
  'articles?sort=publishedAt:desc,id&fields[0]=title&pagination[withCount]=false',
  'articles?populate[author][populate]=articles&pagination[pageSize]=1',
  'authors?populate[articles][filters][section]=a&populate[articles][sort]=title:desc',
  'authors?populate[articles][count]=true',
  'authors?filters[articles][section]=b',
  'authors?filters[name]=author 4&populate=articles',
  'authors/2?populate[articles][fields][0]=title',
  'tags?filters[articles][id]=1',
  'pages?locale=all',
  'pages?locale=de&sort=rank',
];

/** `random` decides what is written; every entry that is made is known by its id. */
export function cachedContent(send: SendWrite, random: (below: number) => number): CachedContent {
  const ids: Record<'articles' | 'tags' | 'authors' | 'pages', number[]> = {
    articles: [],
    tags: [],
    authors: [],
    pages: [],
  };
  const kinds = Object.keys(ids) as (keyof typeof ids)[];
  const some = (list: readonly number[]) => list[random(list.length)];
  const several = (list: readonly number[]) => list.filter(() => random(3) === 0);
  const title = () => ({ title: `title ${random(99)}` });
  const rank = () => ({ rank: random(5) });
  const make = {
    tags: () => ({ name: `tag ${random(9)}`, hidden: random(4) === 0, articles: several(ids.articles) }),
    authors: () => ({ name: `author ${random(9)}`, articles: several(ids.articles) }),
    articles: () => ({
      ...title(),
      section: ['a', 'b'][random(2)],
      tags: several(ids.tags),
      author: some(ids.authors) ?? null,
      facts: [{ text: `fact ${random(9)}`, about: some(ids.tags) ?? null }],
      publishedAt: random(4) === 0 ? null : new Date(1_700_000_000_000).toISOString(),
    }),
    pages: () => ({ name: `page ${random(9)}`, ...rank() }),
  };
  /** Parts of an entry, as an editor changes them. */
  const parts = {
    tags: [() => ({ name: `tag ${random(9)}` }), () => ({ hidden: random(2) === 0 })],
    authors: [() => ({ name: `author ${random(9)}` }), () => ({ articles: several(ids.articles) })],
    articles: [
      title,
      () => ({ section: ['a', 'b'][random(2)] }),
      () => ({ author: some(ids.authors) ?? null }),
      () => ({ tags: { connect: [{ id: some(ids.tags), position: { start: true } }] } }),
      () => ({ publishedAt: random(2) === 0 ? null : new Date(1_700_000_000_000).toISOString() }),
    ],
    pages: [rank, () => ({ name: `page ${random(9)}` })],
  };

  async function create(kind: keyof typeof ids): Promise<string> {
    const made = await send('POST', kind, make[kind]());
    ids[kind].push(made.id);
    return `POST ${kind}`;
  }

  async function translate(id: number): Promise<string> {
    const made = await send('POST', `pages/${id}/localizations`, { name: `Seite ${random(9)}`, locale: 'de' }).catch(
      () => undefined,
    );
    if (made) ids.pages.push(made.id);
    return `POST pages/${id}/localizations`;
  }

  return {
    async fill() {
      for (const kind of [...kinds, ...kinds, ...kinds]) await create(kind);
    },
    async write() {
      const kind = kinds[random(kinds.length)]!;
      const id = some(ids[kind]);
      const action = random(10);
      if (id === undefined || (action === 0 && ids[kind].length < 12)) return create(kind);
      if (action === 1 && ids[kind].length > 2) {
        await send('DELETE', `${kind}/${id}`);
        ids[kind] = ids[kind].filter((one) => one !== id);
        return `DELETE ${kind}/${id}`;
      }
      if (action === 2 && kind === 'articles') {
        await send('PUT', `articles/${id}?status=draft`, { title: `draft ${random(99)}` });
        return `PUT articles/${id}?status=draft`;
      }
      if (action === 2 && kind === 'pages') return translate(id);
      const few = parts[kind];
      const data = action < 5 ? make[kind]() : few[random(few.length)]!();
      await send('PUT', `${kind}/${id}`, data);
      return `PUT ${kind}/${id} ${JSON.stringify(data)}`;
    },
    paths: () => [
      ...kinds.flatMap((kind) => ids[kind].map((id) => `${kind}/${id}`)),
      ...kinds,
      ...LISTS,
      ...ids.articles.map((id) => `articles/${id}?populate[tags]=*`),
    ],
  };
}
