/** What a column represents, apart from its name and SQL type. */
import type { ColumnLabel } from '#contract/migrations/change.ts';
import type { Column } from '../../storage/storage-model.ts';

/** The label of a column, without undefined members. */
export function labelOf(column: Column): ColumnLabel {
  const { attribute, targetType, inverse, entries, shared, holds, required, values, exchanged } = column;
  return {
    ...(attribute === undefined ? {} : { attribute }),
    ...(targetType === undefined ? {} : { targetType }),
    ...(inverse === undefined ? {} : { inverse }),
    ...(shared === undefined ? {} : { shared }),
    ...(entries === undefined ? {} : { entries }),
    ...(holds === undefined ? {} : { holds }),
    ...(required === undefined ? {} : { required }),
    ...(values === undefined ? {} : { values }),
    ...(exchanged === undefined ? {} : { exchanged }),
  };
}
