/**
 * Steps that write many rows. They run in batches, one range of keys at a time, outside of other transactions, so that concurrent
 * writes can go on.
 */
import type { Dialect } from '../../model/content-model.ts';
import type { ColumnRole } from '../../storage/storage-model.ts';
import { isRestoredById } from './placeholder.ts';
import type { FillStep, Step } from './step.ts';

/** Roles of columns in tables whose rows have ids. */
const IN_TYPES: ReadonlySet<ColumnRole> = new Set([
  'attribute',
  'foreignKey',
  'listPosition',
  'publishedAt',
  'documentId',
  'locale',
]);

/** The key of the ranges if it isn't the id: positions of links are filled in ranges of the first column of their primary key. */
export function keyOfFill(step: FillStep): { readonly key?: string } {
  if (step.kind !== 'addColumn' || step.column.type !== 'position' || step.fillFrom === undefined) return {};
  return { key: step.fillFrom };
}

/** Whether filling a column with text writes rows. Otherwise a temporary default does it. */
function writesText(nullable: boolean, dialect: Dialect): boolean {
  return nullable || dialect === 'sqlite';
}

/** Whether a step writes rows in batches. */
export function isFilled(step: Step, dialect: Dialect): step is FillStep {
  switch (step.kind) {
    case 'addColumn':
      if (step.fillFrom !== undefined || step.fillDocument === true) return true;
      return step.fillWith !== undefined && writesText(step.column.nullable, dialect);
    case 'restoreColumn':
      if (step.fillFrom !== undefined) return true;
      if (step.column.nullable) return false;
      return step.fillWith === undefined ? isRestoredById(step.column) : writesText(false, dialect);
    case 'fillEmpty':
      return IN_TYPES.has(step.column.role);
    // Replaces removed values. Exchanged ones can't be told from those that still are to be.
    case 'mapValues':
      return !step.values.some(({ to }) => step.values.some(({ from }) => from === to));
    default:
      return false;
  }
}

/** Steps in three parts, of which the second runs in batches. */
export interface Filling {
  readonly before: readonly Step[];
  readonly fills: readonly FillStep[];
  readonly after: readonly Step[];
}

/** Steps that run in one transaction, or in batches. */
export interface Part {
  readonly kind: 'transaction' | 'batches';
  readonly steps: readonly Step[];
}

function columnsOf(step: FillStep): readonly string[] {
  switch (step.kind) {
    case 'addColumn':
    case 'restoreColumn':
      return [step.column.name, ...(step.fillFrom === undefined ? [] : [step.fillFrom])];
    case 'fillEmpty':
      return [step.column.name, ...(step.from ? [step.from.name] : [])];
    case 'mapValues':
      return [step.column];
  }
}

/** Whether a step can be moved before fills that precede it. */
function mayComeBefore(step: Step, fills: readonly FillStep[]): boolean {
  const touches = (column: string): boolean =>
    'table' in step && fills.some((fill) => fill.table === step.table && columnsOf(fill).includes(column));
  switch (step.kind) {
    case 'createTable':
    case 'relabelTable':
    case 'relabelColumn':
    case 'defineComponent':
    case 'setLocales':
      return true;
    case 'addUnchecked': {
      const { constraint } = step;
      return !touches(constraint.kind === 'required' ? constraint.column.name : constraint.foreignKey.column);
    }
    case 'addColumn':
    case 'restoreColumn':
      return !touches(step.column.name);
    case 'alterColumn':
      return !touches(step.to.name);
    default:
      return fills.length === 0;
  }
}

/** Splits steps into parts. Keeps their order, except that steps move to an earlier transaction where possible. */
export function inParts(items: readonly (Step | Filling)[]): readonly Part[] {
  const parts: Part[] = [];
  let own: Step[] = [];
  let fills: FillStep[] = [];
  let after: Step[] = [];
  const flush = (): void => {
    if (fills.length === 0) return;
    const ranges = fills.map((of): Step => {
      const { cause } = of;
      return { kind: 'fillRanges', of, ...(cause === undefined ? {} : { cause }) };
    });
    if (own.length > 0) parts.push({ kind: 'transaction', steps: own });
    parts.push({ kind: 'batches', steps: ranges });
    [own, fills, after] = [after, [], []];
  };
  const add = (step: Step): void => {
    if (!mayComeBefore(step, fills)) flush();
    own.push(step);
  };
  for (const item of items) {
    if ('kind' in item) {
      add(item);
    } else {
      for (const step of item.before) add(step);
      fills.push(...item.fills);
      after.push(...item.after);
    }
  }
  flush();
  if (own.length > 0) parts.push({ kind: 'transaction', steps: own });
  return parts;
}

/** The remainder of a step without its fill; empty if it is nothing but a fill. */
export function withoutFill(step: FillStep): readonly Step[] {
  switch (step.kind) {
    case 'addColumn': {
      const { fillFrom: _from, fillDocument: _document, fillWith: _text, ...rest } = step;
      return [rest];
    }
    case 'restoreColumn':
      return [step];
    case 'fillEmpty':
    case 'mapValues':
      return [];
  }
}

export function restOf(of: FillStep): Step {
  return { kind: 'fillRest', of, ...(of.cause === undefined ? {} : { cause: of.cause }) };
}
