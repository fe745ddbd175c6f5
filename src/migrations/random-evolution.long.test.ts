/** Random schemas change at random, with content, on every engine. `SEED` and `ROUNDS` repeat a failure or look for others. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { driftAfter, filesOfPlans } from '../../test/support/drift.ts';
import { type Content, readContent, withoutNewDocuments } from '../../test/support/evolving-data.ts';
import { expectedContent } from '../../test/support/evolving-expectation.ts';
import { type Models, modelsOf } from '../../test/support/evolving-model.ts';
import { emptyDrafts, fillContent } from '../../test/support/evolving-rows.ts';
import { searchedWords } from '../../test/support/evolving-search.ts';
import { withoutFormerNames } from '../../test/support/evolving-steps.ts';
import { RandomEvolution } from '../../test/support/random-evolution.ts';
import { shortensTexts } from '../../test/support/random-losses.ts';
import { sharingOf } from '../../test/support/random-sharing.ts';
import { type RandomChange, randomNumbers } from '../../test/support/random-schema.ts';
import { catalogueOfNew, readBack, writePlans } from '../../test/support/written-migrations.ts';
import type { Database } from '../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { planMigration } from './plan/plan-migration.ts';
import { splitMigration } from './plan/zero-downtime.ts';

const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const ROUNDS: Readonly<Record<string, number>> = { sqlite: 10, postgres: 2, mysql: 1 };
const STEPS = 4;

/** What a build asks consent for: the names after `--allow-destructive`, without the end of the sentence. */
function askedBy(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.flatMap(({ hint }) => /--allow-destructive (\S+[^\s.])/u.exec(hint ?? '')?.[1] ?? []);
}

/** A change that needs two builds, whatever is allowed: an attribute that takes the place of another one also loses values. */
class NeedsTwoBuilds extends Error {}

/** The plan of a change, and what consent it asks for; no plan if nothing changes. */
function planned(
  models: Models,
  history: readonly MigrationPlan[],
): { plan: MigrationPlan | undefined; asked: readonly string[] } {
  const input = { history, target: models.storage, notes: models.notes };
  let asked: readonly string[] = [];
  for (;;) {
    const { value, diagnostics } = planMigration({ ...input, allowed: asked });
    if (value !== undefined) return { plan: value === null ? undefined : readBack(history, [value])[0], asked };
    const further = askedBy(diagnostics).filter((name) => !asked.includes(name));
    const message = diagnostics.map(({ message: text, hint }) => `${text}: ${hint}`).join('\n');
    if (message.includes('Only rename in this build')) throw new NeedsTwoBuilds(message);
    if (further.length === 0) throw new Error(message);
    asked = [...asked, ...further];
  }
}

class Round {
  readonly #evolution: RandomEvolution;
  readonly #random: () => number;
  #history: readonly MigrationPlan[] = [];
  #models: Models;
  #items = 0;
  /** Whether a migration stopped halfway. */
  #isOver = false;
  #folders = 0;
  readonly #database: TestDatabase;
  readonly #server: Database;
  readonly #fresh: TestDatabase;
  readonly #folder: string;

  constructor(
    seed: number,
    databases: { database: TestDatabase; server: Database; fresh: TestDatabase; folder: string },
  ) {
    this.#evolution = new RandomEvolution(seed);
    this.#random = randomNumbers(seed + 1_000_000);
    this.#models = modelsOf(this.#evolution.schema);
    this.#database = databases.database;
    this.#server = databases.server;
    this.#fresh = databases.fresh;
    this.#folder = databases.folder;
  }

  #write(plans: readonly MigrationPlan[]): Promise<string> {
    this.#folders += 1;
    return writePlans(join(this.#folder, String(this.#folders)), plans);
  }

  /** `undone`, or why not. */
  async #down(directory: string): Promise<string> {
    const { dialect } = this.#database;
    return migrate(this.#server, { directory, dialect, keepsContent: true }, 'down').then(() => 'undone', String);
  }

  async #catalogue(): Promise<readonly string[]> {
    return (await this.#database.catalogue()).filter((line) => !line.includes('_migration'));
  }

  async #expectNoDrift(...plans: readonly MigrationPlan[]): Promise<void> {
    const files = filesOfPlans([...this.#history, ...plans], this.#database.dialect);
    expect(await driftAfter(this.#database, files)).toStrictEqual([]);
  }

  async start(): Promise<void> {
    const { plan } = planned(this.#models, []);
    if (!plan) throw new Error('no tables');
    this.#history = [plan];
    await migrateUp(this.#server, await this.#write(this.#history));
    await this.#fill(this.#models);
    await emptyDrafts(this.#database, this.#models);
  }

  async #fill(models: Models): Promise<void> {
    this.#items = await fillContent(this.#database, models, this.#items, true);
  }

  async #expectSearched(models: Models, content: Content): Promise<void> {
    const { found, expected } = await searchedWords(this.#database, models, content);
    expect(found).toStrictEqual(expected);
  }

  /** Restores the schema. */
  #goBack(former: object): void {
    const { schema } = this.#evolution;
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, former);
  }

  /** A random step. Adds the names of its changes, and what happens, to `log`. */
  async step(log: string[]): Promise<void> {
    if (this.#isOver) return;
    const former = structuredClone(this.#evolution.schema);
    withoutFormerNames(this.#evolution.schema);
    const changes = this.#evolution.next(1 + Math.floor(this.#random() * 4));
    log.push(changes.map(({ name }) => name).join('; '));
    const models = modelsOf(this.#evolution.schema);
    let next: ReturnType<typeof planned>;
    try {
      next = planned(models, this.#history);
    } catch (error) {
      if (!(error instanceof NeedsTwoBuilds)) throw error;
      log.push('needs two builds');
      return this.#goBack(former);
    }
    const { plan, asked } = next;
    if (!plan) return;
    const isShorter = shortensTexts(this.#models, models);
    const sharing = sharingOf(this.#models, models);
    const effects = [...changes, sharing];
    expect(asked.length > 0, `asked: ${asked.join(', ')}`).toBe(isShorter || effects.some(({ isLossy }) => isLossy));
    const directory = await this.#write([...this.#history, plan]);
    const before = await readContent(this.#database, this.#models);
    const catalogue = await this.#catalogue();
    const refused = await migrateUp(this.#server, directory).then(() => undefined, String);
    if (refused !== undefined) {
      log.push(`refused: ${refused.slice(0, 200)}`);
      expect(isShorter || effects.some(({ mayFail }) => mayFail), refused).toBe(true);
      // Rows that the migration deletes must not stop it: checks of their table can't come first, nor be the first part.
      if (refused.includes('before it are kept') && changes.some(({ removes }) => removes)) {
        this.#isOver = true;
        return;
      }
      expect(await readContent(this.#database, this.#models)).toStrictEqual(before);
      expect(await this.#catalogue()).toStrictEqual(catalogue);
      return this.#goBack(former);
    }
    const after = await readContent(this.#database, models);
    const expected = expectedContent(before, { former: this.#models, models }, (content) => {
      contentOf(changes)(content);
      sharing.content(content);
    });
    expect(sharing.unordered(withoutNewDocuments(after, expected))).toStrictEqual(sharing.unordered(expected));
    await this.#expectSearched(models, after);
    await this.#expectNoDrift(plan);
    const first = planned(models, []).plan;
    expect(await this.#catalogue()).toStrictEqual(await catalogueOfNew(this.#fresh, first ?? null));

    log.push('down');
    expect(await this.#down(directory)).toBe('undone');
    expect(await this.#catalogue()).toStrictEqual(catalogue);
    const undone = await readContent(this.#database, this.#models);
    await this.#expectSearched(this.#models, undone);
    const isWhole = !effects.some(({ isLossy, cannotUndo }) => isLossy || cannotUndo);
    if (isWhole) expect(undone).toStrictEqual(before);
    const fillsNothing = !effects.some(({ cannotUndo }) => cannotUndo);
    const split = await this.#split(plan, models, log, fillsNothing);
    if (split) {
      expect(withoutNewDocuments(split, expected)).toStrictEqual(withoutNewDocuments(after, expected));
    }
    log.push('up again');
    await migrateUp(this.#server, directory);
    expect(withoutNewDocuments(await readContent(this.#database, models), expected)).toStrictEqual(
      withoutNewDocuments(after, expected),
    );

    await this.#fill(models);
    const filled = await readContent(this.#database, models);
    await this.#expectSearched(models, filled);
    const answer = await this.#down(directory);
    log.push(`down with content: ${answer.slice(0, 200)}`);
    if (answer === 'undone') await migrateUp(this.#server, directory);
    expect(withoutNewDocuments(await readContent(this.#database, models), expected)).toStrictEqual(
      withoutNewDocuments(filled, expected),
    );
    await this.#expectNoDrift(plan);
    await emptyDrafts(this.#database, models);
    this.#history = [...this.#history, plan];
    this.#models = models;
  }

  /**
   * Applies the migration in two parts, where it has them, and undoes them. Between them, servers of both versions find all
   * content. Answers the content after both.
   */
  async #split(
    plan: MigrationPlan,
    models: Models,
    log: string[],
    fillsNothing: boolean,
  ): Promise<Content | undefined> {
    const parts = splitMigration(plan, this.#history, models.notes).value ?? [];
    if (parts.length === 0) return undefined;
    log.push(`in ${parts.length} parts`);
    const before = await readContent(this.#database, this.#models);
    const directory = await this.#write([...this.#history, ...parts]);
    const { dialect } = this.#database;
    await migrateUp(this.#server, directory);
    await this.#expectNoDrift(...parts.slice(0, 1));
    const between = await readContent(this.#database, models);
    await this.#expectSearched(models, between);
    if (fillsNothing) {
      const known = await readContent(this.#database, this.#models);
      expect(known).toStrictEqual(before);
      await this.#expectSearched(this.#models, known);
    }
    await migrate(this.#server, { directory, dialect, contract: true }, 'up');
    await this.#expectNoDrift(...parts);
    const after = await readContent(this.#database, models);
    expect(between).toStrictEqual(after);
    for (const _ of parts) expect(await this.#down(directory)).toBe('undone');
    await this.#expectNoDrift();
    const undone = await readContent(this.#database, this.#models);
    if (fillsNothing) expect(undone).toStrictEqual(before);
    return after;
  }
}

function contentOf(changes: readonly RandomChange[]): (content: Content) => void {
  return (content) => {
    for (const { removes } of changes) removes?.(content);
    for (const change of changes) change.content(content);
  };
}

async function play(seed: number, dialect: TestDatabase['dialect']): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'content-test-'));
  const open = (name: string): Promise<TestDatabase> =>
    dialect === 'sqlite' ? sqliteDatabase(join(folder, `${name}.db`)) : createDatabase(dialect, name);
  const database = await open('random_evolution');
  const fresh = await open('random_evolution_fresh');
  const server = await openDatabase(database.url);
  const log: string[] = [];
  try {
    const round = new Round(seed, { database, server, fresh, folder });
    await round.start();
    for (let step = 0; step < STEPS; step += 1) await round.step(log);
  } catch (error) {
    if (error instanceof Error) error.message = `SEED=${seed}\n${log.join('\n')}\n${error.message}`;
    throw error;
  } finally {
    await server.close();
    await database.drop();
    await fresh.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

describe.each(await testedEngines())('random evolution on %s', (dialect) => {
  const rounds = Number(process.env['ROUNDS'] ?? ROUNDS[dialect]);
  it.each(Array.from({ length: rounds }, (_, index) => FIRST_SEED + index))(
    'seed %i: keeps what a change does not concern, up and down',
    (seed) => play(seed, dialect),
    120_000,
  );
});
