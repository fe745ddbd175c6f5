/** Filtered and sorted reads of the content of a replay. */
type Pick = <T>(all: readonly T[]) => T | undefined;

const SORTS = ['id:desc', 'createdAt:desc,id', 'updatedAt:desc'];

/** Searches of each type; `n` is a random number up to 1,000. */
const SEARCHES: Readonly<Record<string, readonly ((n: number) => string)[]>> = {
  articles: [(n) => `T${n % 30}`, (n) => `s${n % 10}`, () => '%25'],
  tags: [() => 'N', () => 'x'],
  authors: [(n) => `A0.${n % 10}`],
  badges: [() => 'B'],
  pages: [() => 'D', () => 'p'],
  stories: [(n) => `S${n % 30}`, (n) => `c${n % 10}`, () => 'OTHER'],
};

/** What may be asked. */
interface Askable {
  readonly filters: readonly ((n: number) => string)[];
  readonly sorts: readonly string[];
}

/** Conditions and sort keys of each type; `n` is a random number up to 1,000. */
const QUESTIONS: Readonly<Record<string, Askable>> = {
  articles: {
    filters: [
      (n) => `filters[title][$gt]=t${n}`,
      (n) => `filters[title][$containsi]=T${n % 10}`,
      (n) => `filters[title][$notContains]=${n % 10}&filters[slug][$notNull]=true`,
      (n) => `filters[price][$lte]=${n / 10}`,
      () => 'filters[facet][$null]=true',
      (n) => `filters[slug][$in][0]=s${n % 30}&filters[slug][$in][1]=s${n % 7}`,
      (n) => `filters[$or][0][slug][$null]=true&filters[$or][1][$not][title][$lt]=t${n}`,
      (n) => `filters[tags][id]=${n % 40}`,
      (n) => `filters[tags][$every][id][$gt]=${n % 40}`,
      (n) => `filters[tags][$none][articles][title][$gt]=t${n}`,
      (n) => `filters[author][name][$gt]=a0.${n}`,
      (n) => `filters[$not][author][name][$gt]=a0.${n}`,
      () => 'filters[author][$null]=true',
      (n) => `filters[badge][article][title][$lt]=t${n}`,
      (n) => `filters[next][next][title][$ne]=t${n}`,
      (n) => `filters[see][title][$lt]=t${n}&filters[next][$notNull]=true`,
      () => 'filters[cover][name][$startsWith]=a',
      () => 'filters[files][$some][name][$ne]=b.txt',
      (n) => `filters[facts][text][$lt]=f${n % 100}`,
      (n) => `filters[facts][$every][text][$gt]=f${n % 100}`,
      (n) => `filters[facts][about][id][$gt]=${n % 40}`,
      (n) => `filters[facts][see][title][$gt]=t${n}`,
      () => 'filters[facts][image][$notNull]=true',
      (n) => `filters[lead][text][$gte]=f${n % 100}`,
      (n) => `filters[$not][lead][about][name]=n&filters[title][$gt]=t${n}`,
      (n) => `filters[id][$in][0]=${n % 60}&filters[id][$in][1]=${n % 50}&filters[title][$gt]=t`,
    ],
    sorts: [
      'title',
      'price:desc',
      'facet',
      'slug:desc,title',
      'author.name:desc',
      'tags.id:desc',
      'next.title,title',
      'see.title:desc',
      'facts.text',
      'lead.text:desc',
      'facts.about.id',
      'cover.name,badge.name',
    ],
  },
  tags: {
    filters: [
      (n) => `filters[articles][title][$gt]=t${n}`,
      (n) => `filters[mentions][price][$lt]=${n / 10}`,
      (n) => `filters[mentions][$none][title][$lt]=t${n}`,
      (n) => `filters[stories][name][$gt]=s${n}`,
      (n) => `filters[stories][$every][code][$ne]=c${n % 20}`,
    ],
    sorts: ['articles.title', 'stories.name:desc', 'mentions.price'],
  },
  authors: {
    filters: [(n) => `filters[name][$lt]=a0.${n}`, (n) => `filters[articles][tags][id][$lt]=${n % 40}`],
    sorts: ['name:desc', 'articles.title:desc'],
  },
  badges: {
    filters: [(n) => `filters[article][title][$lt]=t${n}`, () => 'filters[article][author][$notNull]=true'],
    sorts: ['article.title', 'article.price:desc'],
  },
  pages: {
    filters: [(n) => `filters[size][$gt]=${n % 100}`, (n) => `filters[tags][id][$lt]=${n % 40}`],
    sorts: ['size:desc,name', 'tags.id'],
  },
  stories: {
    filters: [
      (n) => `filters[name][$gt]=s${n}`,
      (n) => `filters[code][$ne]=c${n % 20}`,
      (n) => `filters[tags][id][$gt]=${n % 40}`,
      (n) => `filters[parent][name][$gt]=s${n}`,
      (n) => `filters[children][name][$lt]=s${n}`,
      (n) => `filters[children][$none][tags][id]=${n % 40}`,
      (n) => `filters[facts][see][title][$lt]=t${n}`,
      () => 'filters[parent][parent][$null]=true',
    ],
    sorts: ['name:desc', 'parent.name', 'children.name:desc', 'code,name'],
  },
};

/** What is asked of a populated relation or component, without its `populate[name]`; see `QUESTIONS`. */
const ARTICLES = {
  filters: [
    (n: number) => `[filters][title][$gt]=t${n}`,
    (n: number) => `[filters][tags][id][$lt]=${n % 40}`,
    (n: number) => `[filters][author][name][$gt]=a0.${n}`,
    (n: number) => `[filters][$not][facts][text][$lt]=f${n % 100}`,
    () => '[filters][cover][name][$startsWith]=a',
  ],
  sorts: ['title', 'price:desc', 'author.name,id:desc', 'facts.text:desc'],
};
const TAGS = {
  filters: [
    (n: number) => `[filters][id][$gt]=${n % 40}`,
    (n: number) => `[filters][articles][title][$lt]=t${n}`,
    (n: number) => `[filters][stories][$none][name][$gt]=s${n}`,
  ],
  sorts: ['id:desc', 'articles.title', 'stories.name:desc'],
};
const STORIES = {
  filters: [
    (n: number) => `[filters][name][$gt]=s${n}`,
    (n: number) => `[filters][parent][name][$lt]=s${n}`,
    (n: number) => `[filters][facts][about][id][$gt]=${n % 40}`,
  ],
  sorts: ['name:desc', 'parent.name', 'tags.id'],
};
const FILES = { filters: [() => '[filters][name][$ne]=b.txt'], sorts: ['name:desc', 'createdAt,id'] };
const FACTS = {
  filters: [
    (n: number) => `[filters][text][$lt]=f${n % 100}`,
    (n: number) => `[filters][about][id][$gt]=${n % 40}`,
    (n: number) => `[filters][see][title][$gt]=t${n}`,
    () => '[filters][image][name]=a.txt',
    () => '[filters][about][$null]=true',
    (n: number) => `[filters][story][name][$gt]=s${n}`,
  ],
  sorts: ['text', 'text:desc', 'about.id:desc', 'see.title', 'story.name', 'image.name:desc'],
};

const POPULATED: Readonly<Record<string, Readonly<Record<string, Askable>>>> = {
  articles: {
    '[tags]': TAGS,
    '[author]': { filters: [(n) => `[filters][name][$gt]=a0.${n}`], sorts: [] },
    '[badge]': { filters: [(n) => `[filters][article][title][$lt]=t${n}`], sorts: [] },
    '[cover]': FILES,
    '[files]': FILES,
    '[next]': ARTICLES,
    '[see]': ARTICLES,
    '[facts]': FACTS,
    '[lead]': { ...FACTS, sorts: [] },
    '[facts][populate][see]': ARTICLES,
    '[see][populate][tags]': TAGS,
    '[body][on][shared.fact][populate][see]': ARTICLES,
  },
  tags: { '[articles]': ARTICLES, '[stories]': STORIES, '[mentions]': ARTICLES, '[stories][populate][tags]': TAGS },
  authors: { '[articles]': ARTICLES },
  badges: { '[article]': ARTICLES },
  pages: { '[tags]': TAGS },
  stories: {
    '[tags]': TAGS,
    '[parent]': STORIES,
    '[children]': STORIES,
    '[facts]': FACTS,
    '[facts][populate][story]': STORIES,
  },
};

/** A populated attribute: filtered, sorted, a part of it, or counted. */
function randomPopulate(type: string, random: () => number, pick: Pick): string {
  const [path, { filters, sorts }] = pick(Object.entries(POPULATED[type] ?? {})) ?? ['', { filters: [], sorts: [] }];
  const name = `populate${path}`;
  const asked = random() < 0.7 ? [pick(filters)?.(Math.floor(random() * 1000)) ?? ''] : [];
  const [sort] = random() < 0.7 && sorts.length > 0 ? [`[sort]=${pick(sorts)}`] : [];
  const part = random() < 0.3 ? [`[start]=${Math.floor(random() * 2)}`, '[limit]=2'] : [];
  const isList = /(?:tags|articles|stories|children|mentions|see|files)\]$/u.test(path);
  const count = isList && random() < 0.2 ? ['[count]=true'] : [];
  return [...asked, ...(sort === undefined ? [] : [sort]), ...part, ...count, '[fields]=id']
    .map((one) => `${name}${one}`)
    .join('&');
}

/** The path of a random read, without its state. */
export function randomQuestion(random: () => number, pick: Pick): string {
  const type = pick(Object.keys(QUESTIONS)) ?? '';
  const { filters = [], sorts = [] } = QUESTIONS[type] ?? {};
  const asked = Array.from({ length: random() < 0.3 ? 0 : 1 }, () => pick(filters)?.(Math.floor(random() * 1000)));
  const sort = random() < 0.7 ? [`sort=${pick([...sorts, ...SORTS])}`] : [];
  const isLocalized = type === 'pages' || type === 'stories';
  const locale = isLocalized ? [`locale=${pick(['en', 'de', 'all'])}`] : [];
  const search = random() < 0.2 ? [`_q=${pick(SEARCHES[type] ?? [])?.(Math.floor(random() * 1000))}`] : [];
  const page =
    random() < 0.3
      ? `pagination[after]=&pagination[pageSize]=3${random() < 0.5 ? '&pagination[withCount]=true' : ''}`
      : random() < 0.5
        ? 'pagination[pageSize]=100'
        : `pagination[start]=${Math.floor(random() * 5)}&pagination[limit]=4`;
  const populate = random() < 0.6 ? [randomPopulate(type, random, pick)] : [];
  return `${type}?fields[0]=id&${[...asked, ...search, ...sort, ...locale, ...populate, page].join('&')}`;
}
