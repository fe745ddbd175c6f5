/** A new index on a value inside a component may fail for text that is longer than the engines can index. */
import type { Index } from '../../storage/storage-model.ts';
import type { ItemPlace } from '../history/items-edit.ts';
import { countLongItemValues } from '../sql/text/count-items.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { shapesByUid } from './item-places.ts';
import type { TableDiff } from './table-diff.ts';

type MemberOf = NonNullable<Index['member']>;

/** The component with the indexed text of unlimited length; undefined if values of its type are always short. */
function ownerOfText({ after }: DiffContext, component: string, { path }: MemberOf): string | undefined {
  const shapes = shapesByUid(after.components);
  let uid = component;
  for (const name of path) {
    const member = shapes.get(uid)?.members.find((one) => one.name === name);
    if (member?.kind === 'value') return member.type === 'text' && !member.values ? uid : undefined;
    if (member?.kind !== 'component') return undefined;
    uid = member.component;
  }
  return undefined;
}

/** Adds the loss of a new index to the draft if entries may have longer text. */
export function memberLoss(context: DiffContext, { tables, columns }: TableDiff, index: Index, member: MemberOf): void {
  const [name] = index.columns;
  const own = columns.pairs.find(({ after }) => after.name === name);
  const holds = own?.after.holds;
  if (!own || holds?.kind !== 'component') return;
  const had = tables.before.indexes.some(
    (before) => before.member?.type === member.type && before.columns[0] === own.before.name,
  );
  const component = had ? undefined : ownerOfText(context, holds.component, member);
  if (component === undefined) return;
  const last = member.path.at(-1) ?? '';
  const inside = member.path.slice(0, -1).map((step) => ({ member: step, list: false }));
  const place: ItemPlace = { column: own.after.name, list: false, inside };
  const thing = `${causeOf(tables.after, own.after.attribute)}.${member.path.join('.')}`;
  const queries = countLongItemValues({ table: tables.after.name, place, member: last });
  context.draft.lose({
    code: 'narrows',
    thing,
    message: `'${thing}' would be limited to 255 characters because it is indexed, and the migration may fail if an entry has a longer value`,
    hint: `Count the longer values:${queries}\nIf the count is 0 in every database, pass --allow-destructive ${thing}`,
    places: [`${component}.${last}`, causeOf(tables.after, own.after.attribute)],
  });
}
