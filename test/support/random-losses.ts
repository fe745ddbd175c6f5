/** Losses that follow from several changes together: texts that become shorter. */
import type { Rename } from '#contract/migrations/plan.ts';
import type { Column, ComponentMember, StorageModel, TypeTable } from '../../src/storage/storage-model.ts';
import { isTypeTable, typeTable } from '../../src/storage/table-origin.ts';
import type { Models } from './evolving-model.ts';

interface Step {
  readonly before: StorageModel;
  readonly after: StorageModel;
  readonly renames: readonly Rename[];
}

/** What a type, a component or an attribute was called before a step. */
export function formerName(
  { renames }: Pick<Step, 'renames'>,
  kind: Rename['kind'],
  name: string,
  owner?: string,
): string {
  const isMeant = (one: Rename): boolean =>
    one.kind === kind && one.to === name && (one.kind !== 'attribute' || one.owner === owner);
  return renames.find(isMeant)?.from ?? name;
}

function formerColumn(step: Step, table: TypeTable, { attribute }: Column): Column | undefined {
  if (attribute === undefined) return undefined;
  const former = typeTable(step.before, formerName(step, 'type', table.uid));
  const name = formerName(step, 'attribute', attribute, table.uid);
  return former?.columns.find((column) => column.attribute === name && column.role === 'attribute');
}

function shortensColumn(step: Step, table: TypeTable): boolean {
  return table.columns.some(
    (column) =>
      column.type === 'string' && column.role === 'attribute' && formerColumn(step, table, column)?.type === 'text',
  );
}

function memberNamed({ components = [] }: StorageModel, uid: string, name: string): ComponentMember | undefined {
  return components.find((one) => one.uid === uid)?.members.find((one) => one.name === name);
}

function isLong(member: ComponentMember | undefined): boolean {
  return member?.kind === 'value' && member.type === 'text' && !member.values;
}

/** What a path inside a component was before; undefined unless it leads to a text without a limit, and did before if it led anywhere. */
function formerPath(step: Step, component: string, path: readonly string[]): readonly string[] | undefined {
  let uid = component;
  const former: string[] = [];
  for (const name of path) {
    const was = formerName(step, 'attribute', name, uid);
    former.push(was);
    const member = memberNamed(step.after, uid, name);
    const old = memberNamed(step.before, formerName(step, 'component', uid), was);
    if (member?.kind === 'value') return isLong(member) && (old?.kind !== 'value' || isLong(old)) ? former : undefined;
    if (member?.kind === 'component') uid = member.component;
  }
  return undefined;
}

/** Whether there are new indexes on texts inside components that are kept. */
function shortensMember(step: Step, table: TypeTable): boolean {
  const former = typeTable(step.before, formerName(step, 'type', table.uid));
  return table.indexes.some(({ member, columns }) => {
    const column = table.columns.find(({ name }) => name === columns[0]);
    const was = column && formerColumn(step, table, column);
    if (member?.type !== 'text' || column?.holds?.kind !== 'component' || was?.holds?.kind !== 'component') {
      return false;
    }
    if (formerName(step, 'component', column.holds.component) !== was.holds.component) return false;
    const path = formerPath(step, column.holds.component, member.path);
    if (path === undefined) return false;
    const isSame = (one: (typeof table.indexes)[number]): boolean =>
      one.columns[0] === was.name && one.member?.type === 'text' && one.member.path.join('.') === path.join('.');
    return former?.indexes.some(isSame) !== true;
  });
}

/** Whether texts of any length become limited to 255 characters. */
export function shortensTexts({ storage: before }: Models, { storage: after, notes }: Models): boolean {
  const step = { before, after, renames: notes.renames };
  return after.tables.filter(isTypeTable).some((table) => shortensColumn(step, table) || shortensMember(step, table));
}
