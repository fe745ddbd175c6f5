/** How the responses of an imported project differ from those recorded before the export. */

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that are not content, and that only one of the servers sends. */
const ASIDE = new Set(['createdBy', 'updatedBy']);

/** Normalizes both formats: flat entries without envelopes, components without ids. */
function flat(value) {
  if (Array.isArray(value)) return value.map(flat);
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === 'data' && (value.data === null || typeof value.data === 'object')) {
    return flat(value.data);
  }
  if (isObject(value.attributes) && 'id' in value) return flat({ id: value.id, ...value.attributes });
  const isEntry = ['documentId', 'createdAt', '__type', 'username', 'mime', 'nb_users'].some((key) => key in value);
  const kept = Object.entries(value).filter(([key, inner]) => {
    if (key === 'id') return isEntry ? !('documentId' in value) : false;
    return !ASIDE.has(key) && !(key === 'meta' && isObject(inner) && 'id' in value);
  });
  return Object.fromEntries(kept.map(([key, inner]) => [key, flat(inner)]));
}

/** Identifies an entry in a list, equally on both servers; undefined without a document id. */
function nameOf(entry) {
  if (!isObject(entry)) return undefined;
  return entry.documentId === undefined ? undefined : `${entry.documentId} ${entry.locale ?? ''}`;
}

function shown(value) {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 120);
}

/**
 * The differences as lines: `data[].stamp: "0" → "1970-01-01T00:00:00.000Z"`.
 *
 * In responses with drafts (`showsDrafts`), lists are compared by their entries, not by the order of their row ids.
 */
export function differences(recorded, answered, { showsDrafts, files }) {
  const lines = new Set();

  function lists(want, got, at) {
    if (!showsDrafts || ![...want, ...got].every((entry) => nameOf(entry) !== undefined)) {
      if (want.length !== got.length) lines.add(`${at}: ${want.length} elements → ${got.length}`);
      for (let index = 0; index < Math.min(want.length, got.length); index++) walk(want[index], got[index], `${at}[]`);
      return;
    }
    const [wanted, given] = [want, got].map((list) => new Map(list.map((entry) => [nameOf(entry), entry])));
    // Pages are compared by the entries on both: in another order, a page has other entries.
    const isPage = at === 'data' && recorded.meta?.pagination?.total > recorded.data.length;
    for (const [name, entry] of wanted) {
      if (given.has(name)) walk(entry, given.get(name), `${at}[]`);
      else if (!isPage) lines.add(`${at}[]: ${name} → nothing`);
    }
    for (const name of given.keys()) if (!wanted.has(name) && !isPage) lines.add(`${at}[]: nothing → ${name}`);
  }

  function objects(want, got, at) {
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
      const own = `${at}.${key}`;
      if (key === '__type' && !(key in want)) continue;
      if (!(key in want)) lines.add(`${own}: nothing → ${shown(got[key])}`);
      else if (!(key in got)) lines.add(`${own}: ${shown(want[key])} → nothing`);
      else if (key === 'publishedAt' && want[key] !== got[key] && got[key] === got.createdAt) {
        lines.add(`${own}: ${shown(want[key])} → when it was created`);
      } else walk(want[key], got[key], own, key);
    }
  }

  function walk(want, got, at, key) {
    if (Object.is(want, got)) return;
    if (files.has(key) && [want, got].every((list) => list === null || list?.length === 0)) return;
    if (Array.isArray(want) && Array.isArray(got)) lists(want, got, at);
    else if (isObject(want) && isObject(got)) objects(want, got, at);
    else lines.add(`${at}: ${shown(want)} → ${shown(got)}`);
  }

  const body = (answer) => (isObject(answer) && 'data' in answer && !answer.error ? { data: answer.data } : answer);
  const [want, got] = [recorded, answered].map(body);
  if (isObject(want) && 'data' in want) walk(flat(want.data), flat(got?.data), 'data');
  else walk(flat(want), flat(got), '');
  return [...lines];
}
