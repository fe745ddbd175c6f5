/** Adds the migrations that a build needs to those of a project. */
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/sort-diagnostics.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { GeneratedFile } from '../files/generated-file.ts';
import type { StorageModel } from '../storage/storage-model.ts';
import { emitMigrations } from './emit-migration.ts';
import { includesCycle, standingExchanges } from './history/exchanges.ts';
import { planMigration, type SchemaNotes } from './plan/plan-migration.ts';
import { readHistory } from './history/read-history.ts';
import { lostMigrations } from './history/recorded.ts';
import { safetyReport } from './plan/safety.ts';
import { schemaNotes } from './plan/schema-notes.ts';
import { emptyScripts, missingScripts, unsealedMigrations, unsealedProblem } from './history/unsealed.ts';
import { splitMigration } from './plan/zero-downtime.ts';

/** The two models of the schema. */
interface Models {
  readonly model: ContentModel;
  readonly storage: StorageModel;
}

interface HistoryOptions {
  /** The things that may be lost, by name: `article.body`. */
  readonly allowDestructive: readonly string[];
  /** Whether servers of the previous version keep running during the migration. */
  readonly zeroDowntime: boolean;
  /** The names of the migrations in the project's manifest. */
  readonly recorded: ReadonlySet<string>;
}

interface History {
  /** All files under `migrations/`. */
  readonly files: readonly GeneratedFile[];
  /** The name of the first new migration. */
  readonly migration: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans the next migrations on top of the existing ones; `files` are their texts by path in the project. Existing plans are not
 * validated again: each plan with a line in the sum was written by a build, or validated when it was sealed.
 */
export function extendHistory(
  files: ReadonlyMap<string, string>,
  { model, storage }: Models,
  { allowDestructive: allowed, zeroDowntime, recorded }: HistoryOptions,
): History {
  const { databases } = model;
  const lost = lostMigrations(files, recorded);
  if (lost.length > 0) return { files: [], migration: undefined, diagnostics: lost };
  const history = readHistory(files);
  if (!history.value) return { files: [], migration: undefined, diagnostics: history.diagnostics };
  const unwritten = missingScripts(files, history.value, databases);
  if (unwritten.length > 0) return { files: [], migration: undefined, diagnostics: unwritten };
  const notes = schemaNotes(model);
  const { value: plan, diagnostics } = planMigration({ history: history.value, target: storage, notes, allowed });
  if (plan === undefined) return { files: [], migration: undefined, diagnostics };
  const isSplit = zeroDowntime && history.value.length > 0;
  const parts = plan && isSplit ? splitMigration(plan, history.value, notes) : undefined;
  const problems = [...diagnostics, ...(parts?.diagnostics ?? [])];
  if (parts && !parts.value) return { files: [], migration: undefined, diagnostics: problems };
  const added = parts?.value ?? (plan ? [plan] : []);
  const unsealed = unsealedMigrations(files).map(({ name }) =>
    unsealedProblem(name, added.length > 0 ? 'error' : 'warning'),
  );
  if (hasErrors(unsealed)) return { files: [], migration: undefined, diagnostics: [...problems, ...unsealed] };
  const migrations = emitMigrations({ files, history: history.value, added, databases });
  const safety = added.flatMap((one) => safetyReport(one, databases));
  return {
    files: migrations,
    migration: added[0]?.name,
    diagnostics: [
      ...problems,
      ...exchangeNotes(history.value, notes),
      ...unsealed,
      ...emptyScripts(files, history.value, databases),
      ...safety,
      ...contractNote(added),
    ],
  };
}

/** Name swaps that were carried out but are still in the schema: they do nothing now, and would hide a later swap back. */
function exchangeNotes(history: readonly MigrationPlan[], { renames, places }: SchemaNotes): readonly Diagnostic[] {
  const standing = standingExchanges(history).filter((cycle) => includesCycle(renames, cycle));
  return standing.map((cycle): Diagnostic => {
    const names = cycle.map(({ to }) => `'${to}'`).join(' and ');
    const [first] = cycle;
    const thing = first?.kind === 'attribute' ? `${first.owner}.${first.to}` : (first?.to ?? '');
    const location = places.get(thing);
    return {
      code: 'migrations/exchanged',
      severity: 'info',
      message: `${names} have already exchanged their names, so their \`renamedFrom\` has no effect`,
      ...(location ? { location } : {}),
      hint: 'Remove it and build. To exchange the names again, add it afterwards, and build once more.',
    };
  });
}

/** How to apply the contract part of a migration, which a starting server never applies. */
function contractNote(added: readonly MigrationPlan[]): readonly Diagnostic[] {
  const contract = added.find(({ part }) => part === 'contract');
  if (!contract) return [];
  const message = `${contract.name} must not be applied while servers of the previous version are running; apply it afterwards: npm run server -- migrate up --contract`;
  return [{ code: 'migrations/contract', severity: 'info', message }];
}
