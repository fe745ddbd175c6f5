// The columns that a request writes, and where a connected tag goes.

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

/** The columns of the attributes that are given, and their values. */
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

/** A request that can't be done, such as one that names what does not exist. */
export class BadRequest extends Error {}
