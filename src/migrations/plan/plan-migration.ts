/** Plans the next migration: what the schema needs and the history does not have yet. */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic, Result, SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { StorageModel, Table } from '../../storage/storage-model.ts';
import { FILE_TYPE } from '../../storage/component-targets.ts';
import { PENDING_FILES } from '../../storage/server-tables.ts';
import { hasRole, isTypeTable, originOf } from '../../storage/table-origin.ts';
import type { Change, ColumnLabel, MigrationPlan } from '../history/change.ts';
import type { ValueChange } from '../history/value-change.ts';
import { diffStorage } from '../diff/diff.ts';
import type { Loss } from '../diff/draft.ts';
import { applyChanges, foldHistory } from '../history/fold.ts';
import { migrationName } from '../history/names.ts';
import { relabel } from '../diff/relabel.ts';
import { renameHint } from '../diff/rename-hint.ts';
import type { Rename } from '../history/rename.ts';
import { isOfReplaced, plainChanges, plainLoss, replacedThing } from '../diff/replaced.ts';
import { isSameStorage } from '../diff/same-storage.ts';

/** What the schema says beside its storage model. */
export interface SchemaNotes {
  readonly renames: readonly Rename[];
  /** Where things were written: `article`, `article.title`, `shared.seo.title`. */
  readonly places: ReadonlyMap<string, SourceLocation>;
  /** What former values of enumerations become, by attribute: `article.status`. */
  readonly valueChanges?: ReadonlyMap<string, readonly ValueChange[]>;
}

export interface PlanInput {
  readonly history: readonly MigrationPlan[];
  readonly target: StorageModel;
  readonly notes?: SchemaNotes;
  /** Things that may be lost: `article`, `article.body`. */
  readonly allowed?: readonly string[];
}

const NO_NOTES: SchemaNotes = { renames: [], places: new Map() };

function locationOf({ places }: SchemaNotes, names: readonly string[]): { readonly location?: SourceLocation } {
  const location = names.map((name) => places.get(name)).find((place) => place !== undefined);
  return location ? { location } : {};
}

function isSingle(table: Table): boolean {
  return hasRole(table, 'singleton');
}

/** Types that had one entry and have many now, or the reverse. No data could be kept in a way that all would expect. */
function changedKinds(before: StorageModel, after: StorageModel, notes: SchemaNotes): readonly Diagnostic[] {
  const types = new Map(before.tables.filter(isTypeTable).map((table) => [table.uid, table]));
  return after.tables.filter(isTypeTable).flatMap((table): readonly Diagnostic[] => {
    const old = types.get(table.uid);
    if (!old || isSingle(old) === isSingle(table)) return [];
    const [from, to] = isSingle(old) ? ['single type', 'collection type'] : ['collection type', 'single type'];
    return [
      {
        code: 'migrations/changes-kind',
        severity: 'error',
        kind: 'refused',
        message: `'${table.uid}' was a ${from} and would become a ${to}: its entries can't be kept in one step`,
        ...locationOf(notes, [table.uid]),
        hint: `Add the ${to} under another name, build, copy what is to stay by a migration of your own (content-gen migrations new), and take '${table.uid}' out of the schema then.`,
      },
    ];
  });
}

function refusal(loss: Loss, notes: SchemaNotes, rename: string | undefined): Diagnostic {
  const { code, message, hint, places } = loss;
  return {
    code: `migrations/${code}`,
    severity: 'error',
    kind: 'refused',
    message,
    ...locationOf(notes, places),
    hint: rename === undefined ? hint : `${rename} Else: ${hint}`,
  };
}

/** A former name of something that is in the database itself: which of the two goes is not said. */
function ambiguity(rename: Rename, notes: SchemaNotes): Diagnostic {
  const named = (name: string): string => (rename.kind === 'attribute' ? `${rename.owner}.${name}` : name);
  const [from, to] = [named(rename.from), named(rename.to)];
  const drop =
    rename.kind === 'attribute'
      ? `leave the schema as it is, and build with --allow-destructive ${to}`
      : `take '${to}' out of the schema, leave '${from}' in, build with --allow-destructive ${to}; then put it back with \`renamedFrom: ${rename.from}\` in place of '${from}', and build`;
  return {
    code: 'migrations/drops-attribute',
    severity: 'error',
    kind: 'refused',
    message: `'${from}' can't become '${to}', which is still in the database: one of them would be deleted, and the schema does not say which`,
    ...locationOf(notes, [to]),
    hint: `To drop '${to}' so that '${from}' becomes it: ${drop}. To keep '${to}' and drop '${from}': take \`renamedFrom\` out, and build with --allow-destructive ${from}`,
  };
}

/** What to do where an attribute is replaced by one that is changed besides. */
function inTwoBuilds(thing: string): string {
  return `--allow-destructive ${thing} is for the former '${thing}', which is dropped. Rename in this build, and change nothing else of '${thing}': make that change in the next one, which asks for its own consent`;
}

/** Consent to what nothing happens to: a misspelt name must not look like consent. */
function unneeded(allowed: readonly string[], losses: readonly Loss[]): readonly Diagnostic[] {
  return allowed
    .filter((name) => !losses.some(({ thing }) => thing === name))
    .map((name) => ({
      code: 'migrations/unneeded-consent',
      severity: 'warning',
      message: `--allow-destructive ${name}: nothing of that name would be lost`,
    }));
}

const NO_SQL: ReadonlySet<Change['kind']> = new Set(['describeTable', 'describeColumn']);

/** What a column holds: later migrations depend on it. */
function contentOf({ holds, required, values }: ColumnLabel): unknown {
  return [holds, required, values];
}

/** Whether changes are worth a migration: labels alone are not. */
function isWorthIt(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      !NO_SQL.has(change.kind) ||
      (change.kind === 'describeColumn' && !isDeepStrictEqual(contentOf(change.from), contentOf(change.to))),
  );
}

/** A file as it is named in what is committed: of one that is not below the working folder, only its name. */
function fileName(file: string): string {
  return /^(?:\.\.\/|\/|[A-Za-z]:)/u.test(file)
    ? file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
    : file;
}

function sourcesOf(changes: readonly Change[], { places }: SchemaNotes): Readonly<Record<string, string>> {
  const causes = [...new Set(changes.flatMap(({ cause }) => cause ?? []))];
  return Object.fromEntries(
    causes.flatMap((cause) => {
      const place = places.get(cause);
      return place ? [[cause, `${fileName(place.file)}:${place.line}`] as const] : [];
    }),
  );
}

/**
 * The schema's tables, and those of built-in types that it no longer needs: what they hold was not made by the schema, such as
 * uploaded files, and may be needed again. They go when a person says so by their name.
 */
function withBuiltIns(before: StorageModel, target: StorageModel, allowed: readonly string[]): StorageModel {
  const isThere = (own: Table): boolean =>
    target.tables.some((table) => originOf(table) === originOf(own) || table.name === own.name);
  const builtInOf = (table: Table): string | undefined => {
    if (table.name === PENDING_FILES.name) return FILE_TYPE;
    return isTypeTable(table) && table.builtIn ? table.uid : undefined;
  };
  const kept = before.tables.filter((table) => {
    const type = builtInOf(table);
    return type !== undefined && !allowed.includes(type) && !isThere(table);
  });
  return kept.length === 0 ? target : { ...target, tables: [...kept, ...target.tables] };
}

/** Throws where the changes don't lead to the target: a defect, which must not be found out by a database. */
function checkPlan(before: StorageModel, changes: readonly Change[], target: StorageModel): void {
  const reached = applyChanges(before, changes);
  if (isSameStorage(reached, target)) return;
  const left = diffStorage(reached, reached, target, []).changes();
  if (left.length > 0) throw new Error(`the migration would not lead to the schema: ${JSON.stringify(left[0])}`);
}

/**
 * The migration from the state that `history` leaves to `target`; null when there is nothing to do. What would delete data,
 * or may fail on data that is there, is refused unless it is `allowed` by its name.
 */
export function planMigration(input: PlanInput): Result<MigrationPlan | null> {
  const { history, notes = NO_NOTES, allowed = [] } = input;
  const recorded = foldHistory(history);
  const named = relabel(recorded, notes.renames, history, input.target, allowed);
  const { state, pending, takenOut, blocked, replaced } = named;
  if (blocked.length > 0) return { value: undefined, diagnostics: blocked.map((rename) => ambiguity(rename, notes)) };
  const target = withBuiltIns(state, input.target, allowed);
  const kinds = changedKinds(state, target, notes);
  if (kinds.length > 0) return { value: undefined, diagnostics: kinds };
  const hasRenames = pending.length > 0 || takenOut.length > 0;
  if (!hasRenames && isSameStorage(state, target)) return { value: null, diagnostics: unneeded(allowed, []) };
  const draft = diffStorage(recorded, state, target, pending, {
    isRecorded: history.some(({ format }) => format === 2),
    ...(notes.valueChanges ? { valueChanges: notes.valueChanges } : {}),
  });
  const successors = new Set(replaced.map(replacedThing));
  const known = draft.losses.map(plainLoss);
  const losses = draft.losses.flatMap((loss) => {
    if (isOfReplaced(loss)) return [];
    // The consent is for what had the name: it is none for what takes it.
    if (successors.has(loss.thing)) return [{ ...loss, hint: inTwoBuilds(loss.thing) }];
    return allowed.includes(loss.thing) ? [] : [loss];
  });
  const warnings = unneeded(allowed, known);
  if (losses.length > 0) {
    const hints = losses.map((loss) => refusal(loss, notes, renameHint(loss, state, target)));
    return { value: undefined, diagnostics: [...hints, ...warnings] };
  }
  const changes = plainChanges(draft.changes(), replaced.length > 0);
  if (!hasRenames && !isWorthIt(changes)) return { value: null, diagnostics: warnings };
  checkPlan(recorded, changes, target);
  // All of the schema is the cause of the first one: it is the same however the schema is laid out.
  const sources = history.length === 0 ? {} : sourcesOf(changes, notes);
  const content = {
    ...(pending.length > 0 ? { renames: pending } : {}),
    ...(takenOut.length > 0 ? { takenOut } : {}),
    ...(Object.keys(sources).length > 0 ? { sources } : {}),
    changes,
  };
  const plan: MigrationPlan = { format: 2, name: migrationName({ history, ...content }), ...content };
  return { value: plan, diagnostics: warnings };
}
