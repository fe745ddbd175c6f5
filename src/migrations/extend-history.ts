/** From the migrations of a project to those that it gets by a build. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors } from '../diagnostics/sort-diagnostics.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { GeneratedFile } from '../files/generated-file.ts';
import type { StorageModel } from '../storage/storage-model.ts';
import type { MigrationPlan } from './history/change.ts';
import { emitMigrations } from './emit-migration.ts';
import { includesCycle, standingExchanges } from './history/exchanges.ts';
import { planMigration, type SchemaNotes } from './plan/plan-migration.ts';
import { readHistory } from './history/read-history.ts';
import { lostMigrations } from './history/recorded.ts';
import { safetyReport } from './plan/safety.ts';
import { schemaNotes } from './plan/schema-notes.ts';
import { emptyScripts, missingScripts, unsealedMigrations, unsealedProblem } from './history/unsealed.ts';
import { splitMigration } from './plan/zero-downtime.ts';

/** What the schema says. */
interface Models {
  readonly model: ContentModel;
  readonly storage: StorageModel;
}

/** What a person allows to be lost, by name, and whether servers of the version before are to go on meanwhile. */
interface HistoryOptions {
  readonly allowDestructive: readonly string[];
  readonly zeroDowntime: boolean;
  /** The names of the migrations that the manifest of the project knows. */
  readonly recorded: ReadonlySet<string>;
}

interface History {
  /** New ones, and the sum. */
  readonly files: readonly GeneratedFile[];
  /** Name of the first new one. */
  readonly migration: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans the next migrations on those that are there; `files` are their texts by their path in the project. That the plans among
 * them are some follows from the sum: what has a line in it was written by a build, or checked when it was sealed.
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

/** Exchanges of names that were carried out and still stand in the schema: they do nothing, and would hide another one. */
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
      message: `${names} have exchanged their names already: their \`renamedFrom\` does nothing any more`,
      ...(location ? { location } : {}),
      hint: 'Take it out and build. To exchange the names once more, write it again after that, and build again.',
    };
  });
}

/** How the second part of a migration is applied, which no start does. */
function contractNote(added: readonly MigrationPlan[]): readonly Diagnostic[] {
  const contract = added.find(({ part }) => part === 'contract');
  if (!contract) return [];
  const message = `${contract.name} waits until no server of the version before runs; then apply it: npm run migrate -- up --contract`;
  return [{ code: 'migrations/contract', severity: 'info', message }];
}
