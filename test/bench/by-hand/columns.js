// The columns that a request writes, and the position of a connected tag.

const COLUMN_OF = {
  title: 'title',
  slug: 'slug',
  summary: 'summary',
  body: 'body',
  status: 'status',
  rating: 'rating',
  publishedOn: 'published_on',
  featured: 'featured',
  views: 'views',
};

/** Columns and values of the given attributes. */
export function givenColumns(data) {
  const columns = [];
  const values = [];
  for (const name of Object.keys(data)) {
    const column = COLUMN_OF[name];
    if (column === undefined) continue;
    columns.push(column);
    values.push(data[name]);
  }
  return { columns, values };
}

/** An invalid request, such as one that refers to a missing entry. */
export class BadRequest extends Error {}
