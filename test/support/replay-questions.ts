/** Filtered and sorted reads of the content of a replay. */
type Pick = <T>(all: readonly T[]) => T | undefined;

const SORTS = ['id:desc', 'createdAt:desc,id', 'updatedAt:desc'];

/** Conditions and sort keys of each type; `n` is a random number up to 1,000. */
const QUESTIONS: Readonly<
  Record<string, { readonly filters: readonly ((n: number) => string)[]; readonly sorts: readonly string[] }>
> = {
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

/** The path of a random read, without its state. */
export function randomQuestion(random: () => number, pick: Pick): string {
  const type = pick(Object.keys(QUESTIONS)) ?? '';
  const { filters = [], sorts = [] } = QUESTIONS[type] ?? {};
  const asked = Array.from({ length: random() < 0.3 ? 0 : 1 }, () => pick(filters)?.(Math.floor(random() * 1000)));
  const sort = random() < 0.7 || asked.length === 0 ? [`sort=${pick([...sorts, ...SORTS])}`] : [];
  const isLocalized = type === 'pages' || type === 'stories';
  const locale = isLocalized ? [`locale=${pick(['en', 'de', 'all'])}`] : [];
  const page =
    random() < 0.5 ? 'pagination[pageSize]=100' : `pagination[start]=${Math.floor(random() * 5)}&pagination[limit]=4`;
  return `${type}?fields[0]=id&${[...asked, ...sort, ...locale, page].join('&')}`;
}
