/** How the answers of an imported project differ from those that were recorded before it was exported. */

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that are no content: what clients of the one server or the other are told besides. */
const ASIDE = new Set(['createdBy', 'updatedBy']);

/** The same form for both formats: entries flat, without envelopes; components without their ids. */
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

/** What identifies an entry in a list: a name that both servers have for it. */
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
 * `pending` are the documents with a draft beside what is published, of which the import keeps one: in answers that show drafts
 * (`showsDrafts`) they are left out of the comparison, and lists are compared by their entries, not by the order of their row ids.
 */
export function differences(recorded, answered, { pending, showsDrafts, files }) {
  const lines = new Set();
  const isPending = (entry) => showsDrafts && isObject(entry) && pending.has(entry.documentId);

  function lists(want, got, at) {
    if (!showsDrafts || ![...want, ...got].every((entry) => nameOf(entry) !== undefined)) {
      if (want.length !== got.length) lines.add(`${at}: ${want.length} elements → ${got.length}`);
      for (let index = 0; index < Math.min(want.length, got.length); index++) walk(want[index], got[index], `${at}[]`);
      return;
    }
    const [wanted, given] = [want, got].map(
      (list) => new Map(list.filter((entry) => !isPending(entry)).map((entry) => [nameOf(entry), entry])),
    );
    // Of a page only what is on both: another order of the list puts others on it.
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
    if (Object.is(want, got) || isPending(want) || isPending(got)) return;
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
