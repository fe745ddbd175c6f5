/**
 * Triggers that keep two columns in sync. A server writes a value only to the column that it knows: the other one is null in a new
 * row, and unchanged in an existing one. Rows that are not written stay as they are: in rows from before the triggers, one of the
 * columns is null until it is filled.
 */
import type { SyncedColumns } from '#contract/migrations/change.ts';
import { syncTriggerName } from '#contract/stored-names.ts';
import { hashText } from '../../files/hash.ts';
import { mysqlName, sqlName } from './text/sql-text.ts';

function triggerName(table: string, event = ''): string {
  return `${syncTriggerName(table, hashText)}${event}`;
}

/** AFTER triggers, as SQLite's can't assign to NEW: they update the row again, unless both columns are equal. */
export function sqliteCreateSyncTriggers({ table, primaryKey, columns }: SyncedColumns): readonly string[] {
  const pairs = columns.map(({ from, to }) => [sqlName(from), sqlName(to)] as const);
  const isNew = ([from, to]: readonly [string, string]): string => `NEW.${from} IS NOT NEW.${to}`;
  const isWritten = (pair: readonly [string, string]): string =>
    `(${isNew(pair)} AND (${pair.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(' OR ')}))`;
  const row = primaryKey.map((name) => `${sqlName(name)} = NEW.${sqlName(name)}`).join(' AND ');
  const trigger = (
    event: string,
    of: string,
    differs: string,
    value: (own: string, from: string, to: string) => string,
  ): string => {
    const values = pairs.flatMap(([from, to]) => [from, to].map((own) => `${own} = ${value(own, from, to)}`));
    const name = sqlName(triggerName(table, `_${event.toLowerCase()}`));
    return `CREATE TRIGGER ${name}\n  AFTER ${event}${of} ON ${sqlName(table)}\n  WHEN ${differs}\nBEGIN\n  UPDATE ${sqlName(table)}\n    SET ${values.join(',\n      ')}\n    WHERE ${row};\nEND;`;
  };
  return [
    trigger('INSERT', '', pairs.map(isNew).join(' OR '), (_, from, to) => `coalesce(NEW.${to}, NEW.${from})`),
    trigger('UPDATE', ` OF ${pairs.flat().join(', ')}`, pairs.map(isWritten).join('\n    OR '), (own, from, to) => {
      const changed = [from, to].map((name) => `WHEN NEW.${name} IS NOT OLD.${name} THEN NEW.${name}`);
      return `CASE ${changed.join(' ')} ELSE NEW.${own} END`;
    }),
  ];
}

export function sqliteDropSyncTriggers({ table }: SyncedColumns): readonly string[] {
  return ['_insert', '_update'].map((event) => `DROP TRIGGER ${sqlName(triggerName(table, event))};`);
}

/** Values are compared as text: JSON has no equality of its own. */
export function postgresCreateSyncTriggers({ table, columns }: SyncedColumns): readonly string[] {
  const name = sqlName(triggerName(table));
  const pairs = columns.map(({ from, to }) => [sqlName(from), sqlName(to)] as const);
  const isWritten = (name: string): string => `NEW.${name}::text IS DISTINCT FROM OLD.${name}::text`;
  const inserted = pairs.map(
    ([from, to]) => `    NEW.${to} := coalesce(NEW.${to}, NEW.${from});\n    NEW.${from} := NEW.${to};`,
  );
  const updated = pairs.map(
    ([from, to]) =>
      `    IF ${isWritten(from)} THEN\n      NEW.${to} := NEW.${from};\n    ELSIF ${isWritten(to)} THEN\n      NEW.${from} := NEW.${to};\n    END IF;`,
  );
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $in_step$\nBEGIN\n  IF TG_OP = 'INSERT' THEN\n${inserted.join('\n')}\n  ELSE\n${updated.join('\n')}\n  END IF;\n  RETURN NEW;\nEND\n$in_step$;`,
    `CREATE TRIGGER ${name}\n  BEFORE INSERT OR UPDATE ON ${sqlName(table)}\n  FOR EACH ROW EXECUTE FUNCTION ${name}();`,
  ];
}

export function postgresDropSyncTriggers({ table }: SyncedColumns): readonly string[] {
  const name = sqlName(triggerName(table));
  return [`DROP TRIGGER ${name} ON ${sqlName(table)};`, `DROP FUNCTION ${name}();`];
}

/** Each assignment sees the earlier ones. */
export function mysqlCreateSyncTriggers({ table, columns }: SyncedColumns): readonly string[] {
  const pairs = columns.map(({ from, to }) => [mysqlName(from), mysqlName(to)] as const);
  const trigger = (event: string, value: (from: string, to: string) => readonly string[]): string => {
    const values = pairs.flatMap(([from, to]) => value(from, to));
    const name = mysqlName(triggerName(table, `_${event.toLowerCase()}`));
    return `CREATE TRIGGER ${name}\n  BEFORE ${event} ON ${mysqlName(table)}\n  FOR EACH ROW SET ${values.join(',\n    ')};`;
  };
  return [
    trigger('INSERT', (from, to) => [`NEW.${to} = COALESCE(NEW.${to}, NEW.${from})`, `NEW.${from} = NEW.${to}`]),
    trigger('UPDATE', (from, to) => [
      `NEW.${to} = IF(NEW.${from} <=> OLD.${from}, NEW.${to}, NEW.${from})`,
      `NEW.${from} = IF(NEW.${to} <=> OLD.${to}, NEW.${from}, NEW.${to})`,
    ]),
  ];
}

export function mysqlDropSyncTriggers({ table }: SyncedColumns): readonly string[] {
  return ['_insert', '_update'].map((event) => `DROP TRIGGER ${mysqlName(triggerName(table, event))};`);
}
