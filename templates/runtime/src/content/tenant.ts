/** The tenant of an entry: within it, unique values are unique. */
import type { ContentType } from '../contract/content-type.ts';
import { valueOf, type Values } from '../contract/item-attributes.ts';
import type { Dialect } from '../database/dialect.ts';
import { sql, type Sql } from '../database/sql.ts';
import { planToOne } from './relations/plan-to-one.ts';
import { isRelationChange } from './relations/relation-change.ts';

/** The entry whose tenant is meant: with what a write sets, and its row, if it has one. */
export interface Tenanted {
  readonly input: Values;
  readonly row?: number | undefined;
}

/** The column of the tenant; undefined if the type has none. */
function tenantColumn({ tenant, attributes }: ContentType): string | undefined {
  const attribute = tenant === undefined ? undefined : attributes[tenant];
  return attribute?.type === 'relation' && attribute.storage.kind === 'foreignKey'
    ? attribute.storage.column
    : undefined;
}

/** The condition that the row `t` has the same tenant; undefined if the type has none, or the entry none yet. */
export function inSameTenant({ id }: Dialect, type: ContentType, { input, row }: Tenanted): Sql | undefined {
  const column = tenantColumn(type);
  if (column === undefined) return undefined;
  const change = valueOf(input, type.tenant ?? '');
  const toOne = isRelationChange(change) ? planToOne(change) : undefined;
  if (toOne?.kind === 'set') return toOne.target && sql`t.${id(column)} = ${toOne.target.id}`;
  if (row === undefined) return undefined;
  return sql`t.${id(column)} = (SELECT own.${id(column)} FROM ${id(type.table)} AS own WHERE own.id = ${row})`;
}
