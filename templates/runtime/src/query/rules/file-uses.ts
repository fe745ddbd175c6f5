/** `usedBy: visible` in the rules of files: files that an entry uses which the caller may find. */
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { type Caller, may } from '../../contract/policy/caller.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { inState } from '../../contract/states.ts';
import type { Viewer } from '../query-context.ts';
import type { Filter } from '../read-query.ts';
import type { ReadableRelation } from '../readable-attributes.ts';
import { shownPart } from './shown-part.ts';

type Storage = ReadableRelation['storage'];

/** Where a type refers to files, as seen from the files. */
function usesIn({ attributes, componentLinks: links }: ContentType): readonly Storage[] {
  const uses = Object.values(attributes).flatMap((attribute): Storage[] => {
    if (attribute.type !== 'media') return [];
    const { storage } = attribute;
    if (storage.kind === 'foreignKey') return [{ kind: 'inverseForeignKey', column: storage.column }];
    const { table, own, other, position } = storage;
    return [{ kind: 'link', table, own: other, other: own, position, isInverse: true }];
  });
  const column = links?.targets['file'];
  if (!links || column === undefined) return uses;
  return [
    ...uses,
    { kind: 'link', table: links.table, own: column, other: NAMES.owner, position: NAMES.position, isInverse: true },
  ];
}

/** The states in which the caller may find entries of a type: whether only what is published is seen. */
export function statesSeen(caller: Caller, { uid, draftAndPublish }: ContentType): readonly boolean[] {
  if (!draftAndPublish) return [false];
  return hasRight(caller, 'drafts', uid) ? [true, false] : [true];
}

export function usedByVisible(viewer: Viewer): Filter {
  const { caller, types, narrowedBy } = viewer;
  const filters = Object.values(types.types).flatMap((type): Filter[] => {
    if (!may(caller, 'find', type.uid) && !may(caller, 'findOne', type.uid)) return [];
    return statesSeen(caller, type).flatMap((live): Filter[] => {
      const target = inState(types, type, live);
      const uses = usesIn(shownPart(types, target, caller));
      if (uses.length === 0) return [];
      const narrowed = narrowedBy(target, { isRoot: false, live });
      return uses.map((storage) => ({
        kind: 'related',
        relation: { kind: 'relation', name: 'usedBy', many: true, storage, target, media: false, shared: false },
        live,
        narrowed,
        filter: undefined,
      }));
    });
  });
  return filters.length === 0 ? { kind: 'nothing' } : { kind: 'or', filters };
}
