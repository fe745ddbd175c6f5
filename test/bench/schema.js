// The measured schemas: a blog, for comparing with the hand-written server; shelves and tables of any size, for growth.

/** Row counts of the tables whose first page is read. */
export const TABLE_SIZES = [1000, 10_000, 100_000, 1_000_000];

/** Lengths of the lists to which an entry is connected. */
export const LIST_SIZES = [10, 100, 1000, 10_000, 100_000];

const BLOG = `
  article:
    attributes:
      title: { type: string, required: true, maxLength: 120 }
      slug: { type: uid, targetField: title, required: true }
      summary: { type: text, maxLength: 500 }
      body: { type: richtext }
      status: { type: enumeration, enum: [idea, draft, ready], default: idea, required: true }
      rating: { type: decimal, min: 0, max: 5 }
      publishedOn: { type: date }
      featured: { type: boolean, default: false }
      views: { type: integer, min: 0, default: 0 }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      category: { type: relation, relation: manyToOne, target: category, inversedBy: articles }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
  author:
    attributes:
      name: { type: string, required: true, maxLength: 80 }
      bio: { type: text }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  category:
    pluralName: categories
    attributes:
      name: { type: string, required: true, maxLength: 60 }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: category }
  tag:
    attributes:
      name: { type: string, required: true, maxLength: 40 }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }`;

const SHELVES = `
  shelf:
    pluralName: shelves
    attributes:
      name: { type: string }
      notes: { type: relation, relation: manyToMany, target: note, inversedBy: shelves }
  note:
    attributes:
      title: { type: string }
      shelves: { type: relation, relation: manyToMany, target: shelf, mappedBy: notes }`;

const tables = TABLE_SIZES.map(
  (size) => `
  table-of-${size}:
    pluralName: tables-of-${size}
    attributes:
      title: { type: string }
      amount: { type: integer }
      text: { type: text }`,
);

/** The blog alone, whose server answers in both formats. */
export const FORMATS_SCHEMA = `name: bench
databases: [sqlite, postgres, mysql]
api: { format: v4 }
contentTypes:${BLOG}
permissions:
  public: { '*': '*' }
`;

/**
 * The blog with a feature. `index`: whether `views` has an index; `type` and `root` are lines of the type and of the schema, `find` the
 * permissions that read articles.
 */
export function blogWith({ index = false, type, root, find = '[find, findOne]' }) {
  const indexed = BLOG.replace('views: { type: integer,', `views: { type: integer, ${index ? 'index: true, ' : ''}`);
  const typed = type === undefined ? indexed : indexed.replace('  article:\n', `  article:\n    ${type}\n`);
  return `name: bench
databases: [sqlite, postgres, mysql]
${root ?? ''}
contentTypes:${typed}
permissions:
  public:
    article: [${find.slice(1, -1)}, create, update, delete]
    author: '*'
    category: '*'
    tag: '*'
`;
}

/** The schema as YAML. Everything is public, so that permissions are checked and always granted. */
export const SCHEMA = `name: bench
databases: [sqlite, postgres, mysql]
contentTypes:${[BLOG, SHELVES, ...tables].join('')}
permissions:
  public: { '*': '*' }
`;
