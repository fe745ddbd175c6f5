// Converts rows to responses, written for just these endpoints.

export const POSITION_STEP = 2 ** 16;
export const PAGE_SIZE = 25;

/** Whether entries have versions, which each write of them increments, also one of a relation from its other side. */
export const isVersioned = process.env.VERSIONS === 'true';
/** The version of an article in an answer, of which JSON shows nothing. */
export const VERSION = Symbol('version');
/** The assignment that increments a version, preceded by a comma. */
export const NEXT_VERSION = isVersioned ? ', _version = _version + 1' : '';

const COLUMNS = [
  ...(isVersioned ? ['_version'] : []),
  'id',
  'title',
  'slug',
  'summary',
  'body',
  'status',
  'rating',
  'published_on',
  'featured',
  'views',
  'created_at',
  'updated_at',
  'author_id',
  'category_id',
];

/** The selected columns of an article; `alias` is that of its table. */
export const articleColumns = (alias) => COLUMNS.map((column) => `${alias}.${column}`).join(', ');

const META = { availableLocales: [] };

export function toArticle(row) {
  return {
    ...(isVersioned && { [VERSION]: row._version }),
    id: row.id,
    attributes: {
      title: row.title,
      slug: row.slug,
      summary: row.summary,
      body: row.body,
      status: row.status,
      rating: row.rating === null ? null : Number(row.rating),
      publishedOn: row.published_on,
      featured: row.featured === null ? null : Boolean(row.featured),
      views: row.views,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
    meta: META,
  };
}

function toAuthor({ id, name, bio, created_at, updated_at }) {
  return { id, attributes: { name, bio, createdAt: created_at, updatedAt: updated_at }, meta: META };
}

function toNamed({ id, name, created_at, updated_at }) {
  return { id, attributes: { name, createdAt: created_at, updatedAt: updated_at }, meta: META };
}

/** The distinct ids in a column of the rows. */
export function idsIn(rows, column) {
  return [...new Set(rows.map((row) => row[column]).filter((id) => id !== null))];
}

/** Articles with their author, category and tags; tag rows have the column `owner_id`, and are in order. */
export function toPopulated(rows, { authors, categories, tags }) {
  const authorById = new Map(authors.map((row) => [row.id, toAuthor(row)]));
  const categoryById = new Map(categories.map((row) => [row.id, toNamed(row)]));
  const tagsByOwner = new Map();
  for (const tag of tags) {
    const list = tagsByOwner.get(tag.owner_id);
    if (list) list.push(toNamed(tag));
    else tagsByOwner.set(tag.owner_id, [toNamed(tag)]);
  }
  return rows.map((row) => {
    const article = toArticle(row);
    article.attributes.author = { data: authorById.get(row.author_id) ?? null };
    article.attributes.category = { data: categoryById.get(row.category_id) ?? null };
    article.attributes.tags = { data: tagsByOwner.get(row.id) ?? [] };
    return article;
  });
}
