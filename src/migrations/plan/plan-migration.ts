/** Plans the next migration: from the state after the history to the schema. */
import { isDeepStrictEqual } from 'node:util';
import type { Change, ColumnLabel } from '#contract/migrations/change.ts';
import type { ValueChange } from '#contract/migrations/items-edit.ts';
import type { MigrationPlan, Rename } from '#contract/migrations/plan.ts';
import type { Diagnostic, Result, SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { StorageModel, Table } from '../../storage/storage-model.ts';
import { FILE_TYPE } from '../../storage/component-targets.ts';
import { PENDING_FILES } from '../../storage/server-tables.ts';
import { hasRole, isTypeTable, originOf } from '../../storage/table-origin.ts';
import type { Dialect, JsonValue } from '../../model/content-model.ts';
import { diffStorage } from '../diff/diff.ts';
import type { Loss } from '../diff/draft.ts';
import { applyChanges, foldHistory } from '../history/fold.ts';
import { migrationName } from '../history/names.ts';
import { relabel } from '../diff/relabel.ts';
import { renameHint } from '../diff/rename-hint.ts';
import { isOfReplaced, plainChanges, plainLoss, replacedThing } from '../diff/replaced.ts';
import { isSameStorage } from '../diff/same-storage.ts';
import { shapeWithRequired, withRequired } from '../diff/recorded-required.ts';

/** What planning needs from the schema in addition to its storage model. */
export interface SchemaNotes {
  readonly renames: readonly Rename[];
  /** Locations in the schema, by name: `article`, `article.title`, `shared.seo.title`. */
  readonly places: ReadonlyMap<string, SourceLocation>;
  /** Replacements of enumeration values, by attribute: `article.status`. */
  readonly valueChanges?: ReadonlyMap<string, readonly ValueChange[]>;
  /** Defaults of attributes of components, by attribute: `shared.seo.rank`. */
  readonly memberDefaults?: ReadonlyMap<string, JsonValue>;
  /** The databases of the project, whose SQL hints show. */
  readonly databases?: readonly Dialect[];
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

/** Errors for single types that become collection types, or the reverse: there is no obvious way to keep their data. */
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
        message: `'${table.uid}' changes from a ${from} to a ${to}, which can't preserve its entries`,
        ...locationOf(notes, [table.uid]),
        hint: `Add the ${to} with another name and build; copy the entries in a handwritten migration (npx content-gen migrations new); then remove '${table.uid}' from the schema.`,
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
    hint: rename === undefined ? hint : `${rename} Otherwise, ${hint.charAt(0).toLowerCase()}${hint.slice(1)}`,
  };
}

/** The error about a rename whose old and new names both exist in the database, so it is unclear which to drop. */
function ambiguity(rename: Rename, notes: SchemaNotes): Diagnostic {
  const named = (name: string): string => (rename.kind === 'attribute' ? `${rename.owner}.${name}` : name);
  const [from, to] = [named(rename.from), named(rename.to)];
  const drop =
    rename.kind === 'attribute'
      ? `build this schema with --allow-destructive ${to}`
      : `remove '${to}' from the schema, keep '${from}', and build with --allow-destructive ${to}; then replace '${from}' by '${to}' with \`renamedFrom: ${rename.from}\`, and build`;
  return {
    code: 'migrations/drops-attribute',
    severity: 'error',
    kind: 'refused',
    message: `'${from}' can't be renamed to '${to}', because '${to}' still exists in the database, and the schema does not say which of them to delete`,
    ...locationOf(notes, [to]),
    hint: `To delete the existing '${to}' and rename '${from}': ${drop}. To keep '${to}' and delete '${from}': remove \`renamedFrom\`, and build with --allow-destructive ${from}`,
  };
}

/** The hint if an attribute is replaced by one that also changes in this build. */
function inTwoBuilds(thing: string): string {
  return `--allow-destructive ${thing} refers to the former '${thing}', which is dropped. Only rename in this build, and make the other changes of '${thing}' in the next one, which asks for separate consent`;
}

/** Warnings about consent that isn't needed, such as misspelt names. */
function unneeded(allowed: readonly string[], losses: readonly Loss[]): readonly Diagnostic[] {
  return allowed
    .filter((name) => !losses.some(({ thing }) => thing === name))
    .map((name) => ({
      code: 'migrations/unneeded-consent',
      severity: 'warning',
      message: `--allow-destructive ${name} has no effect: no data with this name would be lost`,
    }));
}

/** The parts of a label that later migrations depend on. */
function contentOf({ holds, required, values, exchanged }: ColumnLabel): unknown {
  return [holds, required, values, exchanged];
}

/** Whether an attribute is shared by all locales, or no longer. Older histories don't say whether it was. */
function changesSharing(from: ColumnLabel, to: ColumnLabel): boolean {
  return from.shared !== undefined && to.shared !== undefined && from.shared !== to.shared;
}

/** Whether changes are worth a migration: labels alone are not. */
function isWorthIt(changes: readonly Change[]): boolean {
  return changes.some((change) => {
    switch (change.kind) {
      case 'relabelTable':
        return false;
      case 'relabelColumn': {
        const { from, to } = change;
        return changesSharing(from, to) || !isDeepStrictEqual(contentOf(from), contentOf(to));
      }
      case 'defineComponent': {
        const { from, to } = change;
        return !from || !to || !isDeepStrictEqual(shapeWithRequired(from, to), to);
      }
      default:
        return true;
    }
  });
}

/** A file's path in committed files: only its name if it is outside of the working folder. */
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
 * The schema's tables, and those of built-in types that it no longer needs: their data, such as uploaded files, may be needed again.
 * They are dropped only with explicit consent.
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

/** Throws if the changes don't lead to the target. That is a bug, which must not reach a database. */
function checkPlan(before: StorageModel, changes: readonly Change[], target: StorageModel): void {
  const reached = applyChanges(before, changes);
  if (isSameStorage(reached, target)) return;
  const left = diffStorage(reached, reached, target, []).changes();
  if (left.length > 0) throw new Error(`the migration would not lead to the schema: ${JSON.stringify(left[0])}`);
}

/**
 * Returns the migration from the state after `history` to `target`; null if there is nothing to do. Changes that would delete data,
 * or may fail on existing data, are refused unless `allowed` has their name.
 */
export function planMigration(input: PlanInput): Result<MigrationPlan | null> {
  const { history, notes = NO_NOTES, allowed = [] } = input;
  const recorded = foldHistory(history);
  const named = relabel(recorded, notes.renames, history, input.target, allowed);
  const { pending, takenOut, blocked, replaced } = named;
  if (blocked.length > 0) return { value: undefined, diagnostics: blocked.map((rename) => ambiguity(rename, notes)) };
  const state = withRequired(named.state, input.target);
  const target = withBuiltIns(state, input.target, allowed);
  const kinds = changedKinds(state, target, notes);
  if (kinds.length > 0) return { value: undefined, diagnostics: kinds };
  const hasRenames = pending.length > 0 || takenOut.length > 0;
  if (!hasRenames && isSameStorage(state, target)) return { value: null, diagnostics: unneeded(allowed, []) };
  const draft = diffStorage(recorded, state, target, pending, {
    isRecorded: history.some(({ withoutRules, handWritten }) => !withoutRules && !handWritten),
    ...(notes.valueChanges ? { valueChanges: notes.valueChanges } : {}),
    ...(notes.memberDefaults ? { memberDefaults: notes.memberDefaults } : {}),
    ...(notes.databases ? { databases: notes.databases } : {}),
  });
  const successors = new Set(replaced.map(replacedThing));
  const known = draft.losses.map(plainLoss);
  const losses = draft.losses.flatMap((loss) => {
    if (isOfReplaced(loss)) return [];
    // The consent covers the replaced attribute, not its successor.
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
  // The first migration has no sources, so it doesn't depend on the layout of the schema files.
  const sources = history.length === 0 ? {} : sourcesOf(changes, notes);
  const content = {
    ...(pending.length > 0 ? { renames: pending } : {}),
    ...(takenOut.length > 0 ? { takenOut } : {}),
    ...(Object.keys(sources).length > 0 ? { sources } : {}),
    changes,
  };
  const plan: MigrationPlan = { format: 3, name: migrationName({ history, ...content }), ...content };
  return { value: plan, diagnostics: warnings };
}
