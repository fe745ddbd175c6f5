/** A new index on a value inside a component may fail for text that is longer than the engines can index. */
import { isDeepStrictEqual } from 'node:util';
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import type { ComponentMember, ComponentShape, Index } from '../../storage/storage-model.ts';
import { hintWithQuery, type HintWriter } from '../sql/text/hint-sql.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { shapesByUid } from './item-places.ts';
import type { TableDiff } from './table-diff.ts';

type MemberOf = NonNullable<Index['member']>;

interface Found {
  /** The component with the value. */
  readonly owner: string;
  readonly value: Extract<ComponentMember, { kind: 'value' }>;
}

/** The value that a path leads to; undefined if there is none. */
function valueAt(
  components: readonly ComponentShape[] | undefined,
  component: string,
  path: readonly string[],
): Found | undefined {
  const shapes = shapesByUid(components);
  let owner = component;
  for (const name of path) {
    const member = shapes.get(owner)?.members.find((one) => one.name === name);
    if (member?.kind === 'value') return { owner, value: member };
    if (member?.kind !== 'component') return undefined;
    owner = member.component;
  }
  return undefined;
}

/** Whether a value is text of unlimited length. */
function isLong({ value: { type, values } }: Found): boolean {
  return type === 'text' && !values;
}

/** What the path of an index of the last state is called after the pending renames. */
function renamedPath(
  { recorded, before: { components = [] } }: DiffContext,
  component: string,
  path: readonly string[],
): readonly string[] {
  let uid = component;
  return path.map((name) => {
    const place = components.findIndex((shape) => shape.uid === uid);
    const at = recorded.components?.[place]?.members.findIndex((member) => member.name === name) ?? -1;
    const member = components[place]?.members[at];
    if (member?.kind === 'component') uid = member.component;
    return member?.name ?? name;
  });
}

/** Adds the loss of a new index to the draft if entries may have longer text. */
export function memberLoss(context: DiffContext, { tables, columns }: TableDiff, index: Index, member: MemberOf): void {
  const [name] = index.columns;
  const own = columns.pairs.find(({ after }) => after.name === name);
  const holds = own?.after.holds;
  if (!own || holds?.kind !== 'component') return;
  const now = valueAt(context.after.components, holds.component, member.path);
  const was = valueAt(context.before.components, holds.component, member.path);
  // Values of other types that become text are short.
  if (!now || !isLong(now) || (was && !isLong(was))) return;
  const had = tables.before.indexes.some(({ member: before, columns: [column] }) => {
    if (before?.type !== member.type || column !== own.before.name) return false;
    return isDeepStrictEqual(renamedPath(context, holds.component, before.path), member.path);
  });
  if (had) return;
  const last = member.path.at(-1) ?? '';
  const inside = member.path.slice(0, -1).map((step) => ({ member: step, list: false }));
  const place: ItemPlace = { column: own.after.name, list: false, inside };
  const thing = `${causeOf(tables.after, own.after.attribute)}.${member.path.join('.')}`;
  const query = ({ itemValues, isLong }: HintWriter): string =>
    `SELECT count(*) FROM (${itemValues(tables.after.name, place, last)}) AS items WHERE ${isLong('value')}`;
  const rest = `If the count is 0 in every database, pass --allow-destructive ${thing}`;
  context.draft.lose({
    code: 'narrows',
    thing,
    message: `'${thing}' would be limited to 255 characters because it is indexed, and the migration may fail if an entry has a longer value`,
    hint: hintWithQuery(context.databases, 'Count the longer values', query, rest),
    places: [`${now.owner}.${last}`, causeOf(tables.after, own.after.attribute)],
  });
}
