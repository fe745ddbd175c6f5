/** Random writes to the project `weblog`, and the reads of the benchmark. */
import type { CachedContent, SendWrite } from './cached-content.ts';

const STATUSES = ['idea', 'draft', 'ready'];
const POPULATE = 'populate[0]=author&populate[1]=category&populate[2]=tags';
const [ARTICLES, AUTHORS, CATEGORIES, TAGS, PAGE] = [40, 5, 4, 10, 5];

/** `random` decides what is written. */
export function weblogContent(send: SendWrite, random: (below: number) => number): CachedContent {
  const ids = { articles: [] as number[], authors: [] as number[], categories: [] as number[], tags: [] as number[] };
  const some = (list: readonly number[]) => list[random(list.length)];
  const day = () => new Date(Date.UTC(2020, 0, 1 + random(2000))).toISOString().slice(0, 10);
  let made = 0;

  async function create(kind: keyof typeof ids): Promise<string> {
    made += 1;
    const name = `${kind} ${made}`;
    const article = () => ({
      title: `Article ${made}`,
      slug: `article-${made}`,
      summary: `What article ${made} is about.`,
      body: 'Everything that a reader wants to know.',
      status: STATUSES[made % 3],
      rating: String((made % 50) / 10),
      publishedOn: day(),
      featured: made % 5 === 0,
      views: (made * 13) % 1000,
      author: some(ids.authors),
      category: some(ids.categories),
      tags: { connect: [...new Set([some(ids.tags), some(ids.tags)])] },
    });
    const { id } = await send('POST', kind, kind === 'articles' ? article() : { name });
    ids[kind].push(id);
    return `POST ${kind}`;
  }

  /** The updates of the benchmark, and what editors change besides. */
  const updates = [
    () => ({ summary: `Changed ${random(99)} times.`, status: STATUSES[random(3)], views: random(1000) }),
    () => ({ body: `Text ${random(99)}.` }),
    () => ({ title: `Title ${random(999)}` }),
    () => ({ tags: { connect: [some(ids.tags)] } }),
    () => ({ tags: { connect: [{ id: some(ids.tags), position: { start: true } }] } }),
    () => ({ category: some(ids.categories) }),
    () => ({ author: some(ids.authors), publishedOn: day() }),
    () => ({ featured: random(2) === 0 }),
  ];

  return {
    async fill() {
      for (let count = 0; count < AUTHORS; count += 1) await create('authors');
      for (let count = 0; count < CATEGORIES; count += 1) await create('categories');
      for (let count = 0; count < TAGS; count += 1) await create('tags');
      for (let count = 0; count < ARTICLES; count += 1) await create('articles');
    },
    async write() {
      const action = random(20);
      if (action === 0) return create('articles');
      if (action === 1) {
        const id = some(ids.articles)!;
        await send('DELETE', `articles/${id}`);
        ids.articles = ids.articles.filter((one) => one !== id);
        return `DELETE articles/${id}`;
      }
      const others = (['authors', 'categories', 'tags'] as const)[random(3)]!;
      const [path, data] =
        action === 2
          ? [`${others}/${some(ids[others])}`, { name: `${others} ${random(99)}` }]
          : [`articles/${some(ids.articles)}`, updates[random(updates.length)]!()];
      await send('PUT', path, data);
      return `PUT ${path} ${JSON.stringify(data)}`;
    },
    paths() {
      const pages = Array.from({ length: Math.ceil(ids.articles.length / PAGE) }, (_, index) => index + 1);
      const page = (number: number) => `pagination[page]=${number}&pagination[pageSize]=${PAGE}`;
      return [
        ...ids.articles.flatMap((id) => [`articles/${id}`, `articles/${id}?${POPULATE}`]),
        ...pages.flatMap((one) => [`articles?${page(one)}`, `articles?${POPULATE}&${page(one)}`]),
        ...Array.from({ length: ARTICLES }, (_, index) => `articles?filters[slug][$eq]=article-${index + 20}`),
        ...STATUSES.flatMap((status) =>
          Array.from(
            { length: AUTHORS },
            (_, index) =>
              `articles?filters[author][name][$eq]=authors ${index + 1}&filters[status][$eq]=${status}&sort[0]=publishedOn:desc&sort[1]=title`,
          ),
        ),
        ...ids.categories.flatMap((id) => [
          `articles?filters[category][id][$eq]=${id}&sort=publishedOn:desc&populate=author`,
          `categories/${id}?populate=articles`,
        ]),
        ...ids.authors.map((id) => `authors/${id}?populate[articles][sort]=title`),
        ...ids.tags.flatMap((id) => [`tags/${id}`, `articles?filters[tags][id]=${id}&sort=title`]),
        'articles?filters[featured]=true',
        'authors?sort=name',
        'categories',
        'tags?populate[articles][fields][0]=title',
      ];
    },
  };
}
