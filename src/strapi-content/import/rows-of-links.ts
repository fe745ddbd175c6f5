/** Converts the links of one attribute to rows, with positions in the lists of both sides. */
import type { ContentType, ForeignKeyStorage, LinkStorage } from '#contract/content-type.ts';
import type { Cell, Section, TransferTable } from '#contract/content-transfer.ts';
import { POSITION_STEP } from '#contract/position-step.ts';
import { inState } from '#contract/states.ts';
import type { Findings } from '../findings.ts';
import {
  IS_MAPPED,
  ITEM,
  type LinkFile,
  OTHER_POSITION,
  OWNER,
  POSITION,
  STATES,
  TARGET,
  TARGET_TYPE,
} from './link-files.ts';
import { DRAFT, isIn, PUBLISHED, type State } from './row-states.ts';
import { type NumberRecord, openRecords, type RecordFile } from './sorted-records.ts';
import type { SourceTypes } from './source-types.ts';

type RowCells = Readonly<Record<string, Cell>>;

/** The links of one attribute in one state. */
export interface StateLinks {
  readonly file: LinkFile;
  readonly state: State;
}

/** The links of an attribute in each state that is stored apart. */
export function linksByState(file: LinkFile): readonly StateLinks[] {
  const { component, owner, attribute } = file;
  const isApart =
    owner.type.published !== undefined ||
    (component === undefined && 'published' in attribute.storage && attribute.storage.published !== undefined);
  return isApart
    ? [
        { file, state: DRAFT },
        { file, state: PUBLISHED },
      ]
    : [{ file, state: DRAFT }];
}

/** The type that has the attribute, in the state. */
function ownerIn({ source }: LinkContext, { file, state }: StateLinks): ContentType {
  return inState(source.contentTypes, file.owner.type, state === PUBLISHED);
}

/** The records of one state, sorted. */
async function* recordsIn({ file, state }: StateLinks, fields: readonly number[]): AsyncGenerator<NumberRecord> {
  for await (const record of file.records.sorted(fields)) if (isIn(at(record, STATES), state)) yield record;
}

/** Whether findings about a record are reported: those of both states have been reported with the drafts. */
function isReported({ state }: StateLinks, record: NumberRecord): boolean {
  return state === DRAFT || !isIn(at(record, STATES), DRAFT);
}

/** The rows of one section. */
export interface LinkRows {
  readonly section: Section;
  readonly rows: AsyncGenerator<RowCells>;
}

export interface LinkContext {
  readonly source: SourceTypes;
  readonly tables: ReadonlyMap<string, TransferTable>;
  readonly findings: Findings;
  /** The folder for temporary files. */
  readonly folder: string;
  /** Table → the id assigned last. */
  readonly ids: Map<string, number>;
}

const REPEATED = 'links that occur twice in the archive';
const FURTHER = 'additional links of attributes that hold only one';

function at(record: NumberRecord, field: number): number {
  return record[field] ?? 0;
}

function nameOf({ owner, component, name }: LinkFile): string {
  return component ? `${owner.type.uid} (${component.uid}.${name})` : `${owner.type.uid}.${name}`;
}

function nextId({ ids }: LinkContext, table: string): number {
  const id = (ids.get(table) ?? 0) + 1;
  ids.set(table, id);
  return id;
}

/** The records of each list in order, without duplicate targets. For a to-one attribute, only the first. */
async function* listed(context: LinkContext, links: StateLinks): AsyncGenerator<readonly [NumberRecord, rank: number]> {
  const { file } = links;
  let owner = -1;
  let item = -1;
  let targets = new Set<string>();
  for await (const record of recordsIn(links, [OWNER, ITEM, POSITION, TARGET, TARGET_TYPE])) {
    if (at(record, OWNER) !== owner || at(record, ITEM) !== item) {
      [owner, item, targets] = [at(record, OWNER), at(record, ITEM), new Set()];
    }
    const target = `${at(record, TARGET_TYPE)} ${at(record, TARGET)}`;
    const where = `${nameOf(file)}: ${owner} → ${at(record, TARGET)}`;
    const findings = isReported(links, record) ? context.findings : undefined;
    if (targets.has(target)) findings?.add('nothing', REPEATED, where);
    else if (!file.attribute.many && targets.size > 0) findings?.add('left', FURTHER, where);
    else {
      targets.add(target);
      yield [record, targets.size];
    }
  }
}

async function* morphRows(
  context: LinkContext,
  given: StateLinks,
  storage: { table: string; own: string; position: string; targets: Readonly<Record<string, string>> },
): AsyncGenerator<RowCells> {
  const types = [...context.source.types.values()];
  for await (const [record, rank] of listed(context, given)) {
    const column = storage.targets[types[at(record, TARGET_TYPE)]?.type.uid ?? ''];
    if (column === undefined) continue;
    yield {
      id: nextId(context, storage.table),
      [storage.own]: at(record, OWNER),
      [storage.position]: rank * POSITION_STEP,
      [column]: at(record, TARGET),
    };
  }
}

async function* itemRows(
  context: LinkContext,
  given: StateLinks,
  links: { table: string; targets: Readonly<Record<string, string>> },
): AsyncGenerator<RowCells> {
  const types = [...context.source.types.values()];
  for await (const [record, rank] of listed(context, given)) {
    const column = links.targets[types[at(record, TARGET_TYPE)]?.type.uid ?? ''];
    if (column === undefined) continue;
    yield {
      id: nextId(context, links.table),
      owner_id: at(record, OWNER),
      item_id: at(record, ITEM),
      attribute: given.file.name,
      position: rank * POSITION_STEP,
      [column]: at(record, TARGET),
    };
  }
}

/** Rows of a join table. If the other side is also a list, they are sorted a second time to get the positions there. */
async function* linkRows(context: LinkContext, given: StateLinks, storage: LinkStorage): AsyncGenerator<RowCells> {
  const { own, other, position, otherPosition } = storage;
  if (otherPosition === undefined) {
    for await (const [record, rank] of listed(context, given)) {
      yield { [own]: at(record, OWNER), [other]: at(record, TARGET), [position]: rank * POSITION_STEP };
    }
    return;
  }
  const placed = await temporary(context, 4);
  for await (const [record, rank] of listed(context, given)) {
    await placed.add([at(record, OWNER), at(record, TARGET), rank, at(record, OTHER_POSITION)]);
  }
  for await (const [[owner = 0, target = 0, rank = 0], otherRank] of ranked(placed.sorted([1, 3, 0]), 1)) {
    yield {
      [own]: owner,
      [other]: target,
      [position]: rank * POSITION_STEP,
      [otherPosition]: otherRank * POSITION_STEP,
    };
  }
  await placed.close();
}

async function* ranked(
  records: AsyncGenerator<NumberRecord>,
  group: number,
): AsyncGenerator<readonly [NumberRecord, number]> {
  let current = -1;
  let rank = 0;
  for await (const record of records) {
    rank = at(record, group) === current ? rank + 1 : 1;
    current = at(record, group);
    yield [record, rank];
  }
}

let temporaries = 0;
function temporary({ folder }: LinkContext, width: number): Promise<RecordFile> {
  return openRecords(folder, `placed-${(temporaries += 1)}`, width);
}

/** Values of a foreign key, with the position of its row in the list of the referenced row. */
async function* keyRows(
  context: LinkContext,
  given: StateLinks,
  { column, position, isUnique }: { column: string; position: string | undefined; isUnique: boolean },
): AsyncGenerator<RowCells> {
  const { file } = given;
  const chosen = await temporary(context, 5);
  let holder = -1;
  let held = -1;
  for await (const record of recordsIn(given, [OWNER, POSITION, TARGET])) {
    const findings = isReported(given, record) ? context.findings : undefined;
    const where = `${nameOf(file)}: ${at(record, OWNER)} → ${at(record, TARGET)}`;
    if (at(record, OWNER) !== holder) {
      [holder, held] = [at(record, OWNER), at(record, TARGET)];
      await chosen.add([holder, held, at(record, OTHER_POSITION), at(record, IS_MAPPED), findings ? 1 : 0]);
    } else if (at(record, TARGET) === held) findings?.add('nothing', REPEATED, where);
    else findings?.add('left', FURTHER, where);
  }
  for await (const [[row = 0, value = 0, , , isTold], rank] of ranked(
    chosen.sorted(isUnique ? [1, 3, 2, 0] : [1, 2, 0]),
    1,
  )) {
    if (isUnique && rank > 1) {
      if (isTold === 1) context.findings.add('left', FURTHER, `${nameOf(file)}: ${row} → ${value}`);
    } else yield { id: row, [column]: value, ...(position === undefined ? {} : { [position]: rank * POSITION_STEP }) };
  }
  await chosen.close();
}

function tableOf({ tables }: LinkContext, name: string): TransferTable {
  const table = tables.get(name);
  if (!table) throw new Error(`There is no table ${name}`);
  return table;
}

function wholeSection(context: LinkContext, table: string): Section {
  const { key, columns } = tableOf(context, table);
  return { table, key, columns, fills: false };
}

function keySection(context: LinkContext, table: string, column: string, position: string | undefined): Section {
  const names = ['id', column, ...(position === undefined ? [] : [position])];
  const columns = tableOf(context, table).columns.filter(({ name }) => names.includes(name));
  return { table, key: ['id'], columns, fills: true };
}

function keyLinks(context: LinkContext, given: StateLinks, storage: ForeignKeyStorage): LinkRows {
  const { column, position, unique } = storage;
  return {
    section: keySection(context, ownerIn(context, given).table, column, position),
    rows: keyRows(context, given, { column, position, isUnique: unique === true }),
  };
}

/** The rows to write for the links of one attribute in one state. */
export function rowsOfLinks(context: LinkContext, given: StateLinks): LinkRows {
  const { component, name } = given.file;
  const owner = ownerIn(context, given);
  if (component) {
    const links = owner.componentLinks;
    if (!links) throw new Error(`${owner.uid} has no link table for its components`);
    return { section: wholeSection(context, links.table), rows: itemRows(context, given, links) };
  }
  const attribute = owner.attributes[name];
  if (attribute?.type !== 'relation' && attribute?.type !== 'media') throw new Error(`${owner.uid} has no ${name}`);
  const { storage } = attribute;
  switch (storage.kind) {
    case 'link':
      return { section: wholeSection(context, storage.table), rows: linkRows(context, given, storage) };
    case 'morph':
      return { section: wholeSection(context, storage.table), rows: morphRows(context, given, storage) };
    case 'foreignKey':
      return keyLinks(context, given, storage);
    default:
      throw new Error(`${nameOf(given.file)} has no links of its own`);
  }
}
