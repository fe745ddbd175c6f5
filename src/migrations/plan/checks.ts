/** Checks that run before a migration changes anything: an engine that commits each statement must not stop halfway. */
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import type { Dialect } from '../../model/content-model.ts';
import type { CheckStep, Step } from './step.ts';

type Direction = 'up' | 'down';

/** Whether an attribute becomes required. */
function needsValues({ from, to }: Extract<Step, { kind: 'alterColumn' }>): boolean {
  return from.nullable && !to.nullable && to.default === undefined;
}

/** Whether a column is a new required attribute without a value for existing rows. */
function needsNoRows(step: Extract<Step, { kind: 'addColumn' }>): boolean {
  const { column, fillFrom, fillDocument, fillWith } = step;
  const isOfSchema = column.role === 'attribute' || column.role === 'foreignKey';
  const isOptional = column.nullable && column.required === undefined;
  if (!isOfSchema || isOptional || column.default !== undefined) return false;
  return fillFrom === undefined && fillDocument === undefined && fillWith === undefined;
}

/** An index on text inside a component limits it, as an index on a column does. */
function longMembers({ table, index, cause }: Extract<Step, { kind: 'createIndex' }>): readonly CheckStep[] {
  const { member, columns } = index;
  if (member?.type !== 'text') return [];
  const about = { kind: 'checkRows', ...(cause === undefined ? {} : { cause }) } as const;
  return [{ ...about, table, columns: columns.slice(0, 1), rows: { of: 'longMembers', member } }];
}

/** Only published rows, where drafts may lack a value. All rows become published if a type only now gets drafts. */
function whichRows(steps: readonly Step[], table: string, required: 'all' | 'published' | undefined) {
  const getsDrafts = steps.some(
    (step) => step.kind === 'addColumn' && step.table === table && step.column.role === 'publishedAt',
  );
  return required === 'published' && !getsDrafts ? ({ published: true } as const) : {};
}

/** The checks that a step needs. Undoing needs fewer, as it fills missing values. */
function checksOf(step: Step, steps: readonly Step[], dialect: Dialect, direction: Direction): readonly CheckStep[] {
  const about = { kind: 'checkRows', ...(step.cause === undefined ? {} : { cause: step.cause }) } as const;
  switch (step.kind) {
    case 'alterColumn': {
      const { table, from, to } = step;
      const own = { ...about, table, columns: [to.name] };
      return [
        ...(from.type === to.type ? [] : [{ ...own, rows: { of: 'misfits', from: from.type, to: to.type } } as const]),
        ...((direction === 'up' || isRequiredKey(to)) && needsValues(step)
          ? [{ ...own, rows: { of: 'empty' } } as const]
          : []),
      ];
    }
    case 'addColumn': {
      const { table, column } = step;
      const isChecked = direction === 'up' && needsNoRows(step);
      const rows = { of: 'any', ...whichRows(steps, table, column.required) } as const;
      return isChecked ? [{ ...about, table, columns: [column.name], rows }] : [];
    }
    case 'restoreColumn': {
      const { table, column } = step;
      return isRequiredKey(column) ? [{ ...about, table, columns: [column.name], rows: { of: 'any' } }] : [];
    }
    case 'relabelColumn': {
      const { table, column, to, checked } = step;
      const rows = { of: 'empty', ...whichRows(steps, table, to.required) } as const;
      return checked && direction === 'up' ? [{ ...about, table, columns: [column], rows }] : [];
    }
    case 'createIndex': {
      const { table, index } = step;
      // When a migration is applied, the other engines report duplicates themselves, before anything is committed.
      const isChecked = (dialect === 'mysql' || direction === 'down') && index.unique && !index.member;
      const duplicates = { ...about, table, columns: index.columns, rows: { of: 'duplicates' } } as const;
      return [...longMembers(step), ...(isChecked ? [duplicates] : [])];
    }
    case 'claimValues':
      return direction === 'up'
        ? [{ ...about, table: step.table, columns: [step.column], rows: { of: 'repeatedByEntries' } }]
        : [];
    default:
      return [];
  }
}

/** Whether a check has the same result before a step as after it. */
function mayComeBefore({ table, columns }: CheckStep, step: Step): boolean {
  const isOther = (at: string, ...names: readonly string[]): boolean =>
    at !== table || names.every((name) => !columns.includes(name));
  switch (step.kind) {
    case 'createTable':
    case 'createIndex':
    case 'dropIndex':
    case 'renameIndex':
    case 'addForeignKey':
    case 'dropForeignKey':
    case 'renameForeignKey':
    case 'relabelTable':
    case 'relabelColumn':
    case 'defineComponent':
    case 'setLocales':
    case 'checkValues':
    case 'checkItems':
    case 'checkRequired':
    case 'checkMembers':
    case 'checkRows':
    case 'lost':
      return true;
    case 'dropTable':
      return step.table.name !== table;
    case 'renameTable':
      return step.from !== table && step.to !== table;
    case 'renameColumn':
      return isOther(step.table, step.from, step.to);
    case 'alterColumn':
      return isOther(step.table, step.to.name);
    case 'addColumn':
    case 'dropColumn':
    case 'restoreColumn':
    case 'fillEmpty':
      return isOther(step.table, step.column.name);
    case 'mapValues':
      return isOther(step.table, step.column);
    case 'nameEntries':
      return isOther(step.table, step.column);
    case 'numberLists':
      return isOther(step.table, step.position);
    case 'claimValues':
      return isOther(step.table, step.claim);
    case 'renameRecords':
      return !step.records.includes(table);
    case 'renameType':
      return step.single !== table && !step.permissions.includes(table);
    case 'copyRelation': {
      const { to } = step;
      return to.kind === 'link' ? to.table !== table : isOther(to.table, to.column, to.position ?? to.column);
    }
    default:
      return 'table' in step && step.table !== table;
  }
}

/** A check by the names before a step that renames something; undefined if the step may change its result. */
function beforeStep(check: CheckStep, step: Step): CheckStep | undefined {
  if (step.kind === 'renameTable' && step.to === check.table) return { ...check, table: step.from };
  if (step.kind === 'renameColumn' && step.table === check.table && check.columns.includes(step.to)) {
    return { ...check, columns: check.columns.map((name) => (name === step.to ? step.from : name)) };
  }
  return mayComeBefore(check, step) ? check : undefined;
}

/** A check as it is made before all of these steps; undefined if one of them may change its result. */
function atStart(check: CheckStep, steps: readonly Step[]): CheckStep | undefined {
  return steps.reduceRight<CheckStep | undefined>((now, step) => now && beforeStep(now, step), check);
}

/**
 * Adds checks to the steps: at the beginning, or right before their own step if an earlier step may change the result. In the latter
 * case, checks for duplicates are left out: creating the index reports these itself.
 */
export function withChecks(steps: readonly Step[], dialect: Dialect, direction: Direction): readonly Step[] {
  const fresh = new Set(steps.flatMap((step) => (step.kind === 'createTable' ? [step.table.name] : [])));
  const first: Step[] = [];
  const rest: Step[] = [];
  for (const [place, step] of steps.entries()) {
    for (const check of checksOf(step, steps, dialect, direction)) {
      if (fresh.has(check.table)) continue;
      const early = atStart(check, steps.slice(0, place));
      if (early) first.push(early);
      // An earlier step may write the checked columns.
      else if (check.rows.of !== 'duplicates') rest.push(check);
    }
    rest.push(step);
  }
  return [...first, ...rest];
}
