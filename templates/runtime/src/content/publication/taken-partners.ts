/**
 * A one-to-one relation that an entry must have can't be given back where another draft has the former partner by now: a draft that took
 * such an entry can't be discarded.
 */
import { ValidationError } from '../../contract/errors.ts';
import { kindsOf } from '../../contract/item-attributes.ts';
import { sql } from '../../database/sql.ts';
import type { Step } from '../../database/write-plan.ts';
import { columnOf } from '../relations/list-table.ts';
import { mustHave } from './copy-children.ts';
import { isCopied, type StateCopy, typesOf } from './state-copy.ts';

/** Throws ValidationError. Reads only for types with such a relation. */
export function requirePartners(copy: StateCopy): readonly Step[] {
  const { dialect, from, to } = copy;
  return kindsOf(to.type.attributes).links.flatMap(([name, { storage, ...attribute }]): Step[] => {
    const former = from.type.attributes[name];
    if (storage.kind !== 'inverseForeignKey' || storage.position !== undefined || !('target' in attribute)) return [];
    if (former?.type !== 'relation' || former.storage.kind !== 'inverseForeignKey') return [];
    const { target = '', inverse = '' } = attribute;
    const { to: type } = typesOf(copy, target);
    if (!mustHave(type, inverse)) return [];
    const table = dialect.id(type.table);
    const [key, own] = [columnOf(dialect, 'd', storage.column), columnOf(dialect, 'd', former.storage.column)];
    const other = sql`SELECT 1 FROM ${table} AS o WHERE ${columnOf(dialect, 'o', storage.column)} = ${own} AND o.id <> d.id`;
    const stuck = sql`SELECT d.id FROM ${table} AS d WHERE ${isCopied(copy, key)} AND (${own} IS NULL OR EXISTS (${other}))`;
    const message = `the draft has an entry of ${target} that must have ${inverse}, and whose former one has another entry by now: connect it to another one, or delete it`;
    return [
      async (tx) => {
        if (await tx.get(stuck)) throw new ValidationError([{ path: [name], message }]);
        return [];
      },
    ];
  });
}
