/** Attributes of components that must have a value from now on, where existing items may have none. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import { hintWithQuery, type HintWriter } from '../sql/text/hint-sql.ts';
import type { DiffContext } from './diff-context.ts';
import type { Loss } from './draft.ts';

/** Where items may lack a value. */
export interface LackingItems {
  readonly items: readonly { readonly table: string; readonly place: ItemPlace; readonly published?: true }[];
  /** The name of the attribute in the items; undefined if all of them lack a value. */
  readonly member: string | undefined;
  readonly isNew: boolean;
}

function countLacking({ id, itemValues }: HintWriter, { items, member }: LackingItems): string {
  const found = items.map(({ table, place, published }) => {
    const values = `SELECT * FROM (${itemValues(table, place, member ?? COLUMN_NAMES.id)}) AS items`;
    const entries = `SELECT ${id(COLUMN_NAMES.id)} FROM ${id(table)} WHERE ${id(COLUMN_NAMES.publishedAt)} IS NOT NULL`;
    return published ? `${values} WHERE id IN (${entries})` : values;
  });
  const where = member === undefined ? '' : ' WHERE value IS NULL';
  return `SELECT count(*) FROM (${found.join(' UNION ALL ')}) AS found${where}`;
}

/** The loss of an attribute `thing` without a default, such as `shared.seo.rank`. */
export function requiredLoss({ databases }: DiffContext, thing: string, lacking: LackingItems): Loss {
  const { items, isNew } = lacking;
  const which = items.every(({ published }) => published) ? ' of published entries' : '';
  const message = isNew
    ? `'${thing}' is new and required, but existing items${which} of the component would have no value for it`
    : `'${thing}' becomes required, but existing items${which} of the component may have no value for it`;
  const rest = `Either add a default, which they receive, or ${isNew ? 'omit `required: true` until every item has a value' : 'set their values first'}. Once the count is 0 in every database, pass --allow-destructive ${thing}`;
  return {
    code: isNew ? 'lacks-value' : 'requires',
    thing,
    message,
    hint: hintWithQuery(databases, 'Count these items', (writer) => countLacking(writer, lacking), rest),
    places: [thing],
  };
}
