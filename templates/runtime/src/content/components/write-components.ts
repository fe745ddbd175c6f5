/**
 * Components and dynamic zones of one entry: `planComponents` checks everything and reads what it needs; `assignItemIds` gives
 * ids to new items; `componentColumns` returns the columns of the entry's row; `componentStatements` write the relations and media inside them.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Statement, Transaction } from '../../database/write-plan.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { sql, type SqlParam } from '../../database/sql.ts';
import type { Issue } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Trust } from '../relations/check-targets.ts';
import { wrongFileTypes } from '../relations/wrong-file-types.ts';
import { type ItemAttribute, kindsOf, type Named, valueOf, type Values } from '../../contract/item-attributes.ts';
import { linkTableOf, type LinkWrites } from './link-table.ts';
import { createMerge, type DraftItem, mergeItems } from './merge-items.ts';
import { planItemLists } from './plan-item-lists.ts';
import { readItems, selectItems } from './stored-items.ts';
import { planUniqueValues } from './unique-values.ts';
import { writeItemLists } from './write-item-lists.ts';

/** The table that generates the ids of all component items, like a sequence. It stays empty. */
const ID_TABLE = 'component_ids';

/** The entry whose components are written. */
export interface ComponentsInput {
  /** The transaction that writes. It must hold a lock on the entry's row, which `planRelations` takes. */
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly caller: Caller;
  readonly trusts?: Trust | undefined;
  readonly type: ContentType;
  /** Undefined for an entry that doesn't exist yet: the validators drop ids of its items. */
  readonly owner: number | undefined;
  /** The values that the validators returned, with hashed passwords. */
  readonly input: Values;
  /** Whether the entry will be a draft; undefined: required values are not checked. */
  readonly draft?: boolean;
}

/** The planned writes, valid within one transaction. */
export interface ComponentPlan {
  readonly type: ContentType;
  /** Column → its new value. */
  readonly values: ReadonlyMap<string, DraftItem | readonly DraftItem[] | null>;
  /** New items, which get their ids later. */
  readonly created: readonly DraftItem[];
  /** Ids of removed items. */
  readonly removed: readonly number[];
  readonly links: LinkWrites;
}

/** `plan` is valid only if there are no issues. */
export interface PlannedComponents {
  readonly issues: readonly Issue[];
  readonly plan: ComponentPlan;
}

const NOTHING_STORED: ReadonlyMap<string, unknown> = new Map();

function sentAttributes({ type, input }: ComponentsInput): Named<ItemAttribute> {
  return kindsOf(type.attributes).items.filter(([name]) => valueOf(input, name) !== undefined);
}

/** The stored values of the attributes, by column; undefined if the entry no longer exists. */
async function readStored(
  { tx, type }: ComponentsInput,
  owner: number,
  sent: Named<ItemAttribute>,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  const { dialect } = tx;
  const attributes = sent.map(([, attribute]) => attribute);
  const row = await tx.get(
    sql`SELECT ${selectItems(dialect, attributes)} FROM ${dialect.id(type.table)} AS e WHERE e.id = ${owner}${dialect.rowLock}`,
  );
  return row && readItems(row, attributes);
}

/** The plan of a request without components. */
export function noComponents(type: ContentType): ComponentPlan {
  return { type, values: new Map(), created: [], removed: [], links: { remove: [], move: [], insert: [] } };
}

/**
 * Checks the components of one entry and plans their writes. Only reads. `issues` has all failures, at every depth, except missing
 * targets of relations: `planRelations` checks the targets that `componentTargets` returns.
 */
export async function planComponents(given: ComponentsInput): Promise<PlannedComponents> {
  const { tx, types, type, owner, input } = given;
  const sent = sentAttributes(given);
  if (sent.length === 0) return { issues: [], plan: noComponents(type) };
  const stored = owner === undefined ? NOTHING_STORED : await readStored(given, owner, sent);
  if (!stored) return { issues: [], plan: noComponents(type) };

  const isDraft = given.draft ?? valueOf(input, 'publishedAt') === null;
  const merge = createMerge(types, { requires: given.draft === false, isDraft });
  const values = new Map(
    sent.map(([name, attribute]) => {
      const isShared = attribute.shared === true;
      const place = { attribute, stored: stored.get(attribute.column), path: [name], isShared };
      return [attribute.column, mergeItems(merge, place, valueOf(input, name))] as const;
    }),
  );
  const { issues, writes } = await planItemLists(given, merge.links, given);
  const files = await wrongFileTypes(tx, types, merge.links);
  const taken = await planUniqueValues(given, merge.unique, { before: stored, after: values });
  return {
    issues: [...merge.issues.all, ...issues, ...files, ...taken],
    plan: { type, values, created: merge.created, removed: merge.removed, links: writes },
  };
}

/** Assigns ids to the new items of all plans, if there are any. */
export async function assignItemIds(tx: Transaction, plans: readonly ComponentPlan[]): Promise<void> {
  const created = plans.flatMap((plan) => plan.created);
  const ids = created.length === 0 ? [] : await tx.dialect.takeIds(tx, ID_TABLE, created.length);
  for (const [index, item] of created.entries()) item.id = ids[index];
}

/** The JSON columns. All items must have their ids. */
export function componentColumns(dialect: Dialect, { values }: ComponentPlan): Readonly<Record<string, SqlParam>> {
  return Object.fromEntries([...values].map(([column, value]) => [column, dialect.bind('json', value)]));
}

/** The statements that write the relations and media inside the components. All items must have their ids. */
export function componentStatements(
  dialect: Dialect,
  { type, values, removed, links }: ComponentPlan,
  owner: number | NewId,
): readonly Statement[] {
  if (!type.componentLinks || values.size === 0) return [];
  return writeItemLists({ dialect, links: linkTableOf(type), owner }, { removed, writes: links });
}
