/** Changes to the attributes of one component. */
import type { ColumnType, ComponentMember, ComponentShape, ExchangedValues } from '../../storage/storage-model.ts';

type ValueMember = Extract<ComponentMember, { kind: 'value' }>;

/** The changes to a component that exists before and after. */
export interface ShapeDiff {
  /** The component before: with its old names (`was`), and with the pending renames applied (`before`). */
  readonly was: ComponentShape;
  readonly before: ComponentShape;
  readonly after: ComponentShape;
  /** Renamed values and components, by their names in the JSON. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Dropped members: `member` is the old name in the JSON, `name` the one after renames. */
  readonly dropped: readonly { readonly member: string; readonly name: string; readonly isReplaced: boolean }[];
  readonly converted: readonly { readonly member: string; readonly to: 'text' | 'datetime' }[];
  /** Values that get another type, by their new names. */
  readonly retyped: readonly { readonly member: string; readonly from: ColumnType; readonly to: ColumnType }[];
  /** Values that are enumerations in the new schema. */
  readonly enums: readonly {
    readonly member: string;
    readonly before: ValueMember;
    readonly values: readonly string[];
    readonly exchanged: ExchangedValues | undefined;
  }[];
  /** Values that are new, by their new names, and whether each is required. `member`: the name in the JSON, unless it was another's. */
  readonly added: readonly { readonly name: string; readonly member?: string; readonly required: boolean }[];
  /** Values that become required, by their new names. `member`: the old name in the JSON. */
  readonly requires: readonly { readonly name: string; readonly member: string }[];
  readonly inner: readonly {
    readonly member: string;
    readonly before: Extract<ComponentMember, { kind: 'component' }>;
    readonly after: Extract<ComponentMember, { kind: 'component' }>;
  }[];
  /** Relations and media. */
  readonly links: {
    readonly renamed: readonly { readonly from: string; readonly to: string }[];
    readonly dropped: readonly string[];
    /** Lists that become a single link. */
    readonly narrowed: readonly string[];
  };
}

const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'float']);
const AS_TEXT: Partial<Readonly<Record<ColumnType, readonly ColumnType[]>>> = {
  integer: ['text', 'biginteger', 'decimal'],
  biginteger: ['text', 'decimal'],
  float: ['text'],
  decimal: ['text'],
  date: ['text'],
  time: ['text'],
  datetime: ['text'],
};

/** The conversion of a value inside JSON to another type; undefined if there is none. */
function valueConversion(from: ColumnType, to: ColumnType): 'same' | 'text' | 'datetime' | undefined {
  if (from === to || (from === 'integer' && to === 'float')) return 'same';
  if (from === 'date' && to === 'datetime') return 'datetime';
  if (AS_TEXT[from]?.includes(to) !== true) return undefined;
  return NUMBERS.has(from) ? 'text' : 'same';
}

function stays(before: ComponentMember, after: ComponentMember | undefined): boolean {
  if (before.kind === 'value' && after?.kind === 'value') {
    return before.secret === after.secret && valueConversion(before.type, after.type) !== undefined;
  }
  if (before.kind === 'component' && after?.kind === 'component') return before.component === after.component;
  if (before.kind === 'links' && after?.kind === 'links') {
    return before.targets.every((target) => after.targets.includes(target));
  }
  return false;
}

interface Member {
  /** The old name, as in the JSON. */
  readonly key: string;
  readonly before: ComponentMember;
  readonly after: ComponentMember | undefined;
}

function renamedOf(members: readonly Member[]): ShapeDiff['renamed'] {
  return members
    .filter(({ key, before }) => key !== before.name)
    .map(({ key, before }) => ({ from: key, to: before.name }));
}

/** New values. Items may have one already, from before the migration was undone, unless the name was that of another attribute. */
function addedOf(members: readonly Member[], staying: readonly Member[], after: ComponentShape): ShapeDiff['added'] {
  const kept = new Set(staying.map((one) => one.before.name));
  return after.members.flatMap((member) => {
    if (member.kind !== 'value' || kept.has(member.name)) return [];
    const { name, required = false } = member;
    const wasOther = members.some(({ key }) => key === name);
    return [{ name, ...(wasOther ? {} : { member: name }), required }];
  });
}

/** Compares one component. `was` and `before` differ in names only, and have their members in the same order. */
export function diffShape(was: ComponentShape, before: ComponentShape, after: ComponentShape): ShapeDiff {
  const byName = new Map(after.members.map((member) => [member.name, member]));
  const members = before.members.map((member, index): Member => {
    return { key: was.members[index]?.name ?? member.name, before: member, after: byName.get(member.name) };
  });
  const staying = members.filter((one) => stays(one.before, one.after));
  const going = members.filter((one) => !stays(one.before, one.after));
  const isLinks = ({ before }: Member): boolean => before.kind === 'links';
  return {
    was,
    before,
    after,
    renamed: renamedOf(staying.filter((one) => !isLinks(one))),
    dropped: going
      .filter((one) => !isLinks(one))
      .map(({ key, before, after }) => ({ member: key, name: before.name, isReplaced: after !== undefined })),
    converted: staying.flatMap(({ key, before, after }) => {
      if (before.kind !== 'value' || after?.kind !== 'value') return [];
      const to = valueConversion(before.type, after.type);
      return to === 'text' || to === 'datetime' ? [{ member: key, to }] : [];
    }),
    retyped: staying.flatMap(({ before, after }) =>
      before.kind === 'value' && after?.kind === 'value' && before.type !== after.type
        ? [{ member: after.name, from: before.type, to: after.type }]
        : [],
    ),
    enums: staying.flatMap(({ key, before, after }) =>
      before.kind === 'value' && after?.kind === 'value' && after.values
        ? [{ member: key, before, values: after.values, exchanged: after.exchanged }]
        : [],
    ),
    added: addedOf(members, staying, after),
    requires: staying.flatMap(({ key, before, after }) => {
      if (before.kind !== 'value' || after?.kind !== 'value') return [];
      return before.required === false && after.required ? [{ name: after.name, member: key }] : [];
    }),
    inner: staying.flatMap(({ key, before, after }) =>
      before.kind === 'component' && after?.kind === 'component' ? [{ member: key, before, after }] : [],
    ),
    links: {
      renamed: renamedOf(staying.filter(isLinks)),
      dropped: going.filter(isLinks).map(({ key }) => key),
      narrowed: staying.flatMap(({ key, before, after }) =>
        before.kind === 'links' && after?.kind === 'links' && before.many && !after.many ? [key] : [],
      ),
    },
  };
}
