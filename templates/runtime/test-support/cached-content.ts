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

/** What to request for a path of the content, which may end in `#` and the format of the answer. */
export function requestOf(path: string): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const [url = '', format] = path.split('#');
  return { url: `/api/${url}`, headers: format === undefined ? {} : { 'Strapi-Response-Format': format } };
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
  'tags?filters[articles][id]=1',
  'pages?locale=all',
  'pages?locale=de&sort=rank',
  // Searches.
  'articles?_q=title',
  'articles?_q=a&fields[0]=title',
  'articles?_q=7&populate=author',
  'tags?_q=3',
  'pages?_q=page&locale=de',
  'topics?_q=2&populate=*',
  'authors?_q=1&filters[articles][section]=a&populate[articles][fields][0]=title',
  // Localized types, from both sides.
  'pages?populate=author',
  'authors?populate[page][populate]=author',
  'authors?filters[page][rank]=2',
  'authors?sort=page.name&populate=page',
  'topics?sort=rank,name&populate[children][sort]=name',
  'topics?locale=de&populate=parent',
  'topics?populate[articles][populate]=tags',
  'topics?filters[rank]=2',
  'topics?filters[articles][title][$contains]=1&fields[0]=name',
  'topics?filters[parent][name]=topic 2&locale=de',
  'topics?populate[fact][populate]=about',
  'articles?populate=topics',
  'articles?populate=topics&locale=de',
  'articles?filters[topics][name]=topic 3&fields[0]=title',
  'articles?filters[topics][id]=1&fields[0]=title',
  'articles?populate[topics][populate]=parent&fields[0]=title',
  // Components.
  'articles?populate[blocks][populate]=*',
  'articles?populate[blocks][on][shared.teaser][populate]=article',
  'articles?populate[blocks][on][shared.fact][populate][about][fields][0]=name',
  'articles?filters[facts][text]=fact 1',
  'articles?filters[facts][about][name]=tag 2&fields[0]=title',
  // Lists of the same type, and relations to several.
  'articles?populate[related][sort]=title&fields[0]=title',
  'articles?filters[related][section]=a&fields[0]=title',
  'articles?populate=remarks&fields[0]=title',
  'articles?populate[remarks][filters][text]=remark 1&fields[0]=title',
  'articles?filters[remarks][text]=remark 2&fields[0]=title',
  'authors?populate[remarks][count]=true',
  'remarks?populate=subject',
  'remarks?populate=*&sort=text',
  'remarks',
  // The single type.
  'front',
  'front?populate=*',
  'front?populate[hero][populate]=article',
  'front?populate[articles][populate]=author',
];

/** What only the v4 format has. */
const V4_ALONE = /\[count\]|locale=all/u;

const KINDS = ['articles', 'tags', 'authors', 'pages', 'topics', 'remarks'] as const;
type Kind = (typeof KINDS)[number];
const LOCALIZED: readonly Kind[] = ['pages', 'topics'];
const WITH_DRAFTS: readonly Kind[] = ['articles', 'topics'];

type Data = Readonly<Record<string, unknown>>;

/** What entries contain; by kind, whole entries and the parts of them that an editor changes. */
function randomData(ids: Readonly<Record<Kind, readonly number[]>>, random: (below: number) => number) {
  const some = (list: readonly number[]) => list[random(list.length)];
  const one = (kind: Kind) => some(ids[kind]) ?? null;
  const several = (kind: Kind) => ids[kind].filter(() => random(3) === 0);
  const title = () => ({ title: `title ${random(99)}` });
  const section = () => ({ section: ['a', 'b'][random(2)] });
  const rank = () => ({ rank: random(5) });
  const publishedAt = (often: number) => ({
    publishedAt: random(often) === 0 ? null : new Date(1_700_000_000_000).toISOString(),
  });
  const fact = () => ({ text: `fact ${random(9)}`, about: one('tags') });
  const teaser = () => ({ label: `label ${random(9)}`, article: one('articles') });
  const block = () =>
    random(2) === 0 ? { __component: 'shared.fact', ...fact() } : { __component: 'shared.teaser', ...teaser() };
  const blocks = () => ({ blocks: Array.from({ length: random(3) }, block) });
  const named = (kind: string) => () => ({ name: `${kind} ${random(9)}` });
  const connect = (kind: Kind) => ({ connect: [{ id: some(ids[kind]), position: { start: true } }] });
  const subject = () => {
    const kind = (['articles', 'authors', 'pages'] as const)[random(3)]!;
    const id = some(ids[kind]);
    return { subject: id === undefined || random(5) === 0 ? null : { id, type: kind.slice(0, -1) } };
  };
  const text = () => ({ text: `remark ${random(4)}` });
  const make: Record<Kind, () => Data> = {
    tags: () => ({ ...named('tag')(), hidden: random(4) === 0, articles: several('articles') }),
    authors: () => ({ ...named('author')(), articles: several('articles'), page: one('pages') }),
    articles: () => ({
      ...title(),
      ...section(),
      ...blocks(),
      ...publishedAt(4),
      tags: several('tags'),
      author: one('authors'),
      facts: [fact()],
      related: several('articles'),
      topics: several('topics'),
    }),
    pages: () => ({ ...named('page')(), ...rank(), author: one('authors') }),
    topics: () => ({
      ...named('topic')(),
      ...rank(),
      ...publishedAt(4),
      articles: several('articles'),
      parent: one('topics'),
      fact: fact(),
    }),
    remarks: () => ({ ...text(), ...subject() }),
  };
  const parts: Record<Kind, readonly (() => Data)[]> = {
    tags: [named('tag'), () => ({ hidden: random(2) === 0 })],
    authors: [named('author'), () => ({ articles: several('articles') }), () => ({ page: one('pages') })],
    articles: [
      title,
      section,
      blocks,
      () => ({ author: one('authors') }),
      () => ({ tags: connect('tags') }),
      () => ({ related: connect('articles') }),
      () => ({ topics: several('topics') }),
      () => publishedAt(2),
    ],
    pages: [rank, named('page'), () => ({ author: one('authors') })],
    topics: [
      rank,
      named('topic'),
      () => ({ articles: several('articles') }),
      () => ({ parent: one('topics') }),
      () => ({ children: several('topics') }),
      () => ({ fact: fact() }),
      () => publishedAt(2),
    ],
    remarks: [text, subject],
  };
  const front = () => ({ hero: teaser(), articles: several('articles'), ...publishedAt(4) });
  return { make, parts, front, some };
}

/** `random` decides what is written; every entry that is made is known by its id. */
export function cachedContent(send: SendWrite, random: (below: number) => number): CachedContent {
  const ids: Record<Kind, number[]> = { articles: [], tags: [], authors: [], pages: [], topics: [], remarks: [] };
  const { make, parts, front, some } = randomData(ids, random);
  /** Whether it was possible: there may be a translation, or nothing to publish. */
  const tried = (method: string, path: string, data?: Data) => send(method, path, data).catch(() => undefined);

  async function create(kind: Kind): Promise<string> {
    const made = await send('POST', kind, make[kind]());
    ids[kind].push(made.id);
    return `POST ${kind}`;
  }

  async function translate(kind: Kind, id: number): Promise<string> {
    const name = { pages: 'Seite', topics: 'topic' }[kind as string] ?? '';
    const data = { ...make[kind](), name: `${name} ${random(9)}`, locale: 'de' };
    const made = await tried('POST', `${kind}/${id}/localizations`, data);
    if (made) ids[kind].push(made.id);
    return `POST ${kind}/${id}/localizations`;
  }

  async function draft(kind: Kind, id: number): Promise<string> {
    const action = ['', 'publish', 'unpublish', 'discard-draft'][random(4)]!;
    if (action === '') {
      const [part] = parts[kind];
      const { publishedAt: _, ...data } = random(2) === 0 ? make[kind]() : part!();
      await send('PUT', `${kind}/${id}?status=draft`, data);
      return `PUT ${kind}/${id}?status=draft`;
    }
    await tried('POST', `${kind}/${id}/actions/${action}`);
    return `POST ${kind}/${id}/actions/${action}`;
  }

  async function remove(kind: Kind, id: number): Promise<string> {
    await send('DELETE', `${kind}/${id}`);
    ids[kind].splice(ids[kind].indexOf(id), 1);
    return `DELETE ${kind}/${id}`;
  }

  async function saveFront(): Promise<string> {
    const data = front();
    await send('PUT', 'front', data);
    return `PUT front ${JSON.stringify(data)}`;
  }

  return {
    async fill() {
      for (const kind of [...KINDS, ...KINDS, ...KINDS]) await create(kind);
      await saveFront();
    },
    async write() {
      const action = random(10);
      if (action === 9 && random(4) === 0) return saveFront();
      const kind = KINDS[random(KINDS.length)]!;
      const id = some(ids[kind]);
      if (id === undefined || (action === 0 && ids[kind].length < 12)) return create(kind);
      if (action === 1 && ids[kind].length > 2) return remove(kind, id);
      if (action === 2 && LOCALIZED.includes(kind)) return translate(kind, id);
      if (action <= 3 && WITH_DRAFTS.includes(kind)) return draft(kind, id);
      const few = parts[kind];
      const data = action < 6 ? make[kind]() : few[random(few.length)]!();
      await send('PUT', `${kind}/${id}`, data);
      return `PUT ${kind}/${id} ${JSON.stringify(data)}`;
    },
    paths: () => [
      ...KINDS.flatMap((kind) => ids[kind].map((id) => `${kind}/${id}`)),
      ...KINDS.flatMap((kind) => [kind, `${kind}#v5`]),
      ...LISTS,
      ...LISTS.filter((path, index) => index % 2 === 0 && !V4_ALONE.test(path)).map((path) => `${path}#v5`),
      ...ids.articles.map((id) => `articles/${id}?populate[tags]=*`),
      ...ids.topics.map((id) => `topics/${id}?populate=*`),
      ...ids.authors.map((id) => `authors/${id}?populate[articles][fields][0]=title`),
    ],
  };
}
