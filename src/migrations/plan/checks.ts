/** Checks that run before a migration changes anything: an engine that commits each statement must not stop halfway. */
import type { Dialect } from '../../model/content-model.ts';
import type { CheckStep, Step } from './step.ts';

type Direction = 'up' | 'down';

/** Whether an attribute becomes required. PostgreSQL uses a constraint instead, unless the type changes, too. */
function needsValues({ from, to }: Extract<Step, { kind: 'alterColumn' }>, dialect: Dialect): boolean {
  if (!from.nullable || to.nullable || to.default !== undefined) return false;
  return dialect !== 'postgres' || from.type !== to.type;
}

/** Whether a column is a new required attribute without a value for existing rows. */
function needsNoRows(step: Extract<Step, { kind: 'addColumn' }>): boolean {
  const { column, fillFrom, fillDocument, fillWith } = step;
  const isOfSchema = column.role === 'attribute' || column.role === 'foreignKey';
  if (!isOfSchema || column.nullable || column.default !== undefined) return false;
  return fillFrom === undefined && fillDocument === undefined && fillWith === undefined;
}

/** An index on text inside a component limits it, as an index on a column does. */
function longMembers({ table, index, cause }: Extract<Step, { kind: 'createIndex' }>): readonly CheckStep[] {
  const { member, columns } = index;
  if (member?.type !== 'text') return [];
  const about = { kind: 'checkRows', ...(cause === undefined ? {} : { cause }) } as const;
  return [{ ...about, table, columns: columns.slice(0, 1), rows: { of: 'longMembers', member } }];
}

/** The checks that a step needs. Undoing needs fewer, as it fills missing values. */
function checksOf(step: Step, dialect: Dialect, direction: Direction): readonly CheckStep[] {
  const about = { kind: 'checkRows', ...(step.cause === undefined ? {} : { cause: step.cause }) } as const;
  switch (step.kind) {
    case 'alterColumn': {
      const { table, from, to } = step;
      const own = { ...about, table, columns: [to.name] };
      return [
        ...(from.type === to.type ? [] : [{ ...own, rows: { of: 'misfits', from: from.type, to: to.type } } as const]),
        ...(direction === 'up' && needsValues(step, dialect) ? [{ ...own, rows: { of: 'empty' } } as const] : []),
      ];
    }
    case 'addColumn': {
      const { table, column } = step;
      const isChecked = direction === 'up' && needsNoRows(step);
      return isChecked ? [{ ...about, table, columns: [column.name], rows: { of: 'any' } }] : [];
    }
    case 'createIndex': {
      const { table, index } = step;
      // When a migration is applied, the other engines report duplicates themselves, before anything is committed.
      const isChecked = (dialect === 'mysql' || direction === 'down') && index.unique && !index.member;
      const duplicates = { ...about, table, columns: index.columns, rows: { of: 'duplicates' } } as const;
      return [...longMembers(step), ...(isChecked ? [duplicates] : [])];
    }
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
    case 'describeTable':
    case 'describeColumn':
    case 'defineComponent':
    case 'setLocales':
    case 'checkValues':
    case 'checkItems':
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
    default:
      return 'table' in step && step.table !== table;
  }
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
    for (const check of checksOf(step, dialect, direction)) {
      if (fresh.has(check.table)) continue;
      const isFinal = steps.slice(0, place).every((other) => mayComeBefore(check, other));
      // An earlier step may write the checked columns.
      if (isFinal) first.push(check);
      else if (check.rows.of !== 'duplicates') rest.push(check);
    }
    rest.push(step);
  }
  return [...first, ...rest];
}
