/** The steps of a write that find the tags of the answers that it changes. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import type { Outcome, Step, Subject } from '../../database/write-plan.ts';
import type { Purge } from '../../http/cache-tags.ts';
import { changedTags, type TagNames } from './changed-tags.ts';
import { type EntryIds, type EntryState, type StateRead, stateReader } from './entry-states.ts';
import type { ExactType } from './exact-types.ts';

/** Of more tags, the common one is purged. */
const MOST_TAGS = 2000;

interface Entries {
  readonly type: ExactType;
  readonly ids: EntryIds;
  /** Of those that are known before the write. */
  readonly before: StateRead | undefined;
  readonly after: StateRead;
}

/** What reads the states of entries of a type. */
interface Readers {
  before(ids: EntryIds): StateRead;
  after(ids: EntryIds): StateRead;
}

const idOf = (id: number | NewId): number => (typeof id === 'number' ? id : id.value);

/** Of types whose writes are not compared. */
function tagsOfSubject(
  { types }: ContentTypes,
  names: TagNames,
  { action, type, id, publication }: Subject,
): readonly string[] {
  // What visitors may find has changed, or much at once.
  if (action === 'import' || type === 'role' || type === 'user-role') return [names.all];
  const known = types[type];
  if (!known) return [];
  if (id === undefined) return [names.all];
  // Answers with tags show no drafts.
  const isDraft = known.draftAndPublish && publication === undefined;
  if (isDraft && action !== 'delete') return [];
  return typeof id === 'number' ? [names.ofType(type), names.ofEntry(type, id)] : [names.ofType(type)];
}

function entriesOf(
  exact: ReadonlyMap<string, ExactType>,
  subjects: readonly Subject[],
  readersOf: (type: ExactType) => Readers,
): readonly Entries[] {
  const byType = new Map<ExactType, Map<number | NewId, boolean>>();
  for (const { action, type: uid, id } of subjects) {
    const type = exact.get(uid);
    if (!type || id === undefined || action === 'import') continue;
    const ids = byType.get(type) ?? new Map<number | NewId, boolean>();
    byType.set(type, ids);
    // What a write creates was not there before, except for what comes back.
    ids.set(id, (ids.get(id) ?? true) && id instanceof NewId);
  }
  return [...byType].map(([type, found]) => {
    const known = [...found.keys()].filter((id) => typeof id === 'number').sort((a, b) => a - b);
    const ids = [...found.keys()];
    const { before, after } = readersOf(type);
    return { type, ids, before: known.length === 0 ? undefined : before(known), after: after(ids) };
  });
}

const NO_STATES: ReadonlyMap<number, EntryState> = new Map();

/** Undefined if the write changes no answer. */
export function purgeSteps(
  types: ContentTypes,
  exact: ReadonlyMap<string, ExactType>,
  names: TagNames,
): (subjects: readonly Subject[], dialect: Dialect) => Purge | undefined {
  const readers = new Map<ExactType, Readers>();
  return (subjects, dialect) => {
    const readersOf = (type: ExactType): Readers => {
      let made = readers.get(type);
      if (!made) {
        made = { before: stateReader(dialect, type, true), after: stateReader(dialect, type, false) };
        readers.set(type, made);
      }
      return made;
    };
    const others = subjects.filter(
      ({ action, type, id }) => !exact.has(type) || id === undefined || action === 'import',
    );
    const known = others.flatMap((subject) => tagsOfSubject(types, names, subject));
    const entries = entriesOf(exact, subjects, readersOf);
    if (known.length === 0 && entries.length === 0) return undefined;
    const tagsOf = (outcome: Outcome): readonly string[] => {
      const tags = new Set(known);
      for (const { type, ids, before, after } of entries) {
        const was = before?.statesOf(outcome) ?? NO_STATES;
        const is = after.statesOf(outcome);
        for (const id of ids.map(idOf)) {
          for (const tag of changedTags(type, id, { before: was.get(id), after: is.get(id) }, names)) tags.add(tag);
        }
      }
      return tags.size > MOST_TAGS || tags.has(names.all) ? [names.all] : [...tags];
    };
    return {
      before: entries.flatMap(({ before }) => before?.steps ?? []),
      after(store): readonly Step[] {
        if (entries.length === 0) return store([...new Set(known)]);
        const found: Step = (_tx, outcome) => Promise.resolve(store(tagsOf(outcome)));
        return [...entries.flatMap(({ after }) => after.steps), found];
      },
    };
  };
}
