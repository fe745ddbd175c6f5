/** Executes write plans on database servers, in as few round trips as their engine allows. */
import {
  createOutcome,
  type LaterSteps,
  requireRow,
  type Result,
  statement,
  type Statement,
  type Step,
  type Transaction,
  type WritePlan,
} from './write-plan.ts';
import type { Dialect } from './dialect.ts';
import { hasUnknownIds, withNamedIds } from './named-ids.ts';
import type { NewId } from './new-id.ts';
import { raw, type Sql } from './sql.ts';

/** The operations of a transaction that executing a plan needs. */
export interface PlanRunner {
  readonly dialect: Dialect;
  run(statements: readonly Statement[]): Promise<readonly Result[]>;
  /** Runs them and commits. */
  runLast(statements: readonly Statement[]): Promise<readonly Result[]>;
}

/** The statements before the next step that can only be planned once they are done. */
function nextStage(steps: readonly Step[]): {
  statements: Statement[];
  later: LaterSteps | undefined;
  rest: readonly Step[];
} {
  const statements: Statement[] = [];
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'function') return { statements, later: step, rest: steps.slice(index + 1) };
    statements.push(step);
  }
  return { statements, later: undefined, rest: [] };
}

/**
 * Splits the statements of a stage into batches. A batch ends before a second INSERT that generates an id for the same
 * table, since only the last id of a table can be referred to. With `isCut` it also ends where it must be known whether a
 * statement found its row before anything else is written or committed.
 */
function batchesOf(statements: readonly Statement[], isCut: boolean): Statement[][] {
  const batches: Statement[][] = [[]];
  for (const one of statements) {
    const { generatedId } = one;
    if (generatedId && batches.at(-1)?.some((other) => other.generatedId?.table === generatedId.table)) {
      batches.push([]);
    }
    batches.at(-1)?.push(one);
    if (one.noRowError && isCut) batches.push([]);
  }
  return batches;
}

/** Statements that refer to new ids by expressions. */
interface NamedBatch {
  readonly statements: readonly Statement[];
  /** The positions of the given statements among them. */
  readonly indexes: readonly number[];
}

/** Replaces the ids that a batch generates and uses by expressions. `needsIds`: they must be known once it is done. */
function namedBatch({ batches }: Dialect, given: readonly Statement[], needsIds: boolean): NamedBatch {
  if (!batches || !given.some(({ generatedId }) => generatedId)) {
    return { statements: given, indexes: [...given.keys()] };
  }
  const statements: Statement[] = [];
  const indexes: number[] = [];
  const names = new Map<NewId, string>();
  const nameOf = (id: NewId): string => names.get(id) ?? raise(`No earlier statement creates the id of ${id.table}`);
  for (const [index, one] of given.entries()) {
    indexes.push(statements.length);
    statements.push(hasUnknownIds(one.sql) ? { ...one, sql: withNamedIds(one.sql, nameOf) } : one);
    const { generatedId } = one;
    if (!generatedId) continue;
    names.set(generatedId, batches.idReference(generatedId.table, names.size));
    const isUsed = given.some(({ sql }, other) => other > index && sql.params.includes(generatedId));
    const naming = isUsed || (needsIds && one.returns !== 'rows') ? batches.storeId(names.size - 1) : undefined;
    if (naming) statements.push(statement(naming));
    if (needsIds && one.returns !== 'rows') {
      statements.push({ sql: raw(`SELECT ${nameOf(generatedId)} AS id`), returns: 'rows' });
    }
  }
  return { statements, indexes };
}

function raise(message: string): never {
  throw new Error(message);
}

/** Sets the ids that a batch generated. */
function learnIds(given: readonly Statement[], { indexes }: NamedBatch, results: readonly Result[]): void {
  for (const [index, one] of given.entries()) {
    const at = indexes[index] ?? 0;
    const end = indexes[index + 1] ?? results.length;
    const returned =
      one.returns === 'rows' ? results[at] : results.slice(at + 1, end).find(({ rows }) => rows.length > 0);
    const id = returned?.rows[0]?.['id'] ?? results[at]?.insertId;
    if (id !== undefined && id !== null) one.generatedId?.set(Number(id));
  }
}

/** Executes a plan; with `commit`, its last batch also commits the transaction. */
export async function executePlan<T>(
  plan: WritePlan<T>,
  tx: Transaction,
  runner: PlanRunner,
  { commit }: { readonly commit: boolean },
): Promise<T> {
  const outcome = createOutcome();

  async function runBatch(given: readonly Statement[], isLast: boolean): Promise<void> {
    const read: Sql | undefined = isLast ? plan.read : undefined;
    if (given.length === 0 && !read && !commit) return;
    const all: readonly Statement[] = read ? [...given, { sql: read, returns: 'rows' } as const] : given;
    const ends = isLast && commit;
    const named = namedBatch(runner.dialect, all, !ends);
    const results = await (ends ? runner.runLast(named.statements) : runner.run(named.statements));
    learnIds(all, named, results);
    for (const [index, one] of given.entries()) {
      const result = results[named.indexes[index] ?? 0];
      if (!result) throw new Error('A statement has no result');
      outcome.add(one, result);
      requireRow(one, result);
    }
    if (read) outcome.rows = results[named.indexes[given.length] ?? 0]?.rows ?? [];
  }

  for (let { steps } = plan; ;) {
    const { statements, later, rest } = nextStage(steps);
    const isSole = plan.steps.length === 1 && !later;
    const batches = batchesOf(statements, !isSole && runner.dialect.batches?.endsWithoutRow !== true);
    for (const [index, batch] of batches.entries()) {
      const isLast = !later && index === batches.length - 1;
      if (batch.length > 0 || isLast) await runBatch(batch, isLast);
    }
    if (!later) return plan.answer(outcome);
    steps = [...(await later(tx, outcome)), ...rest];
  }
}
