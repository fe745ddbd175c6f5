/** Copies one relation of an entry from one state to the other, from whichever side it is stored. */
import type { MediaAttribute, MorphStorage, RelationAttribute } from '../../contract/content-type.ts';
import { join, sql } from '../../database/sql.ts';
import type { Statement, TouchedRows } from '../../database/write-plan.ts';
import { copyChildren } from './copy-children.ts';
import { copyLinks, copyMorphs, type NamedEntries, replaceLinks } from './copy-links.ts';
import { changedLists, isCopied, type StateCopy, typesOf } from './state-copy.ts';

/** The entries that the links lead to, in each of the states, if their types have an attribute for the other side. */
function morphTargets(copy: StateCopy, from: MorphStorage, to: MorphStorage): readonly TouchedRows[] {
  const { dialect } = copy;
  return Object.entries(to.targets).flatMap(([uid, column]): readonly TouchedRows[] => {
    const type = copy.to.types.types[uid];
    const isListed = Object.values(type?.attributes ?? {}).some(
      (one) => one.type === 'relation' && one.storage.kind === 'inverseMorph' && one.storage.table === to.table,
    );
    if (!type || !isListed) return [];
    const key = dialect.id(column);
    const keys = [from.table, to.table].map(
      (table) =>
        sql`SELECT ${key} AS k FROM ${dialect.id(table)} WHERE ${isCopied(copy, dialect.id(to.own))} AND ${key} IS NOT NULL`,
    );
    return [{ table: type.table, ids: join(keys, ' UNION ') }];
  });
}

/** None for one that is stored in the entry's row, or in the same place in both states. `named`: see `NamedEntries`. */
export function copyRelation(
  copy: StateCopy,
  name: string,
  from: RelationAttribute | MediaAttribute,
  named?: NamedEntries,
): readonly Statement[] {
  const to = copy.to.type.attributes[name];
  if (to?.type !== 'relation' && to?.type !== 'media') throw new Error(`${name} is no relation`);
  const [source, target] = [from.storage, to.storage];
  const uid = from.type === 'media' ? 'file' : (from.target ?? '');
  switch (source.kind) {
    case 'foreignKey':
      return [];
    case 'link': {
      if (target.kind !== 'link' || source.table === target.table) return [];
      const other = source.otherPosition === undefined ? undefined : typesOf(copy, uid).to;
      return copyLinks(copy, { from: source, to: target, other }, named);
    }
    case 'morph': {
      if (target.kind !== 'morph' || source.table === target.table) return [];
      const columns = [source.position, ...Object.values(source.targets)];
      const lists = changedLists(copy, morphTargets(copy, source, target));
      const [removal, ...rest] = replaceLinks(
        copy,
        { from: source.table, to: target.table },
        { own: source.own, columns },
      );
      return [...lists.before, ...(removal ? [{ ...removal, touches: lists.touches }] : []), ...rest];
    }
    case 'inverseForeignKey': {
      const types = typesOf(copy, uid);
      if (target.kind !== 'inverseForeignKey') return [];
      if (types.from.table === types.to.table && source.column === target.column) return [];
      return copyChildren(
        copy,
        {
          from: { type: types.from, storage: source },
          to: { type: types.to, storage: target },
          inverse: ('inverse' in from && from.inverse) || '',
        },
        named,
      );
    }
    case 'inverseMorph': {
      if (target.kind !== 'inverseMorph' || source.table === target.table) return [];
      const owning = 'inverse' in from ? typesOf(copy, uid).from.attributes[from.inverse ?? ''] : undefined;
      if (owning?.type !== 'relation' || owning.storage.kind !== 'morph') return [];
      const { many, storage } = owning;
      return copyMorphs(copy, { from: source, to: target }, { position: storage.position, many });
    }
  }
}
