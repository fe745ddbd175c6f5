/** What a column represents, apart from its name and SQL type. */
import type { Column } from '../../storage/storage-model.ts';
import type { ColumnLabel } from './change.ts';

/** The label of a column, without undefined members. */
export function labelOf({ attribute, targetType, inverse, shared, holds, required, values }: Column): ColumnLabel {
  return {
    ...(attribute === undefined ? {} : { attribute }),
    ...(targetType === undefined ? {} : { targetType }),
    ...(inverse === undefined ? {} : { inverse }),
    ...(shared === undefined ? {} : { shared }),
    ...(holds === undefined ? {} : { holds }),
    ...(required === undefined ? {} : { required }),
    ...(values === undefined ? {} : { values }),
  };
}
