/** Copies of recorded rows: large databases whose every part answers as the small one. */
export type Row = Readonly<Record<string, unknown>>;
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** The ids of a copy are higher than those of the one before it by so many. */
const STEP = 1000;
/** Document ids have 24 characters, of which the last tell copies apart. */
const OWN_PART = 18;
const DOCUMENT_ID = /[\da-z]{24}/gu;
const UNIQUE = new Set(['name', 'code', 'slug']);

const suffixOf = (copy: number): string => `~${copy}`;

function documentId(id: string, copy: number): string {
  return `${id.slice(0, OWN_PART)}${String(copy).padStart(24 - OWN_PART, '0')}`;
}

/** Columns of a type's own rows whose values are unique, or JSON with the ids of items. */
function copied(value: unknown, name: string, copy: number): unknown {
  if (Array.isArray(value)) return value.map((each) => copied(each, '', copy));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each, key, copy)]));
  }
  if (typeof value === 'number' && (name === 'id' || name.endsWith('_id'))) return value + copy * STEP;
  if (typeof value !== 'string') return value;
  if (name === 'document_id') return documentId(value, copy);
  if (name === 'box' || name === 'parts') return JSON.stringify(copied(JSON.parse(value), '', copy));
  return UNIQUE.has(name) ? `${value}${suffixOf(copy)}` : value;
}

/** The rows of a copy; that with the number 0 is the original. Single types have no copies. */
export function copyOf(rows: Rows, copy: number): Rows {
  if (copy === 0) return rows;
  const copies = Object.entries(rows)
    .filter(([table]) => !table.startsWith('homes'))
    .map(([table, all]) => [table, all.map((row) => copied(row, '', copy) as Row)] as const);
  return Object.fromEntries(copies);
}

/** A request for a list, for the entries of one copy. */
export function requestOfCopy(path: string, copy: number): string {
  const ids = `filters[$and][0][id][$gt]=${copy * STEP}&filters[$and][1][id][$lt]=${(copy + 1) * STEP}`;
  return `${path}&${ids}`;
}

/** The answer for a copy, as the original's. */
export function originalAnswer(body: unknown, rows: Rows, copy: number): unknown {
  const documents = new Map(
    Object.values(rows).flatMap((all) =>
      all.flatMap(({ document_id: id }) => (typeof id === 'string' ? [[documentId(id, copy), id] as const] : [])),
    ),
  );
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (name === 'id' && typeof value === 'number') return value - copy * STEP;
    if (typeof value !== 'string') return value;
    const own = value.endsWith(suffixOf(copy)) ? value.slice(0, -suffixOf(copy).length) : value;
    return own.replaceAll(DOCUMENT_ID, (id) => documents.get(id) ?? id);
  });
}
