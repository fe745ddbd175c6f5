/** Describes how a database differs from what its migrations have made, and what to do about it. */
import type { DialectName } from '../../database/dialect.ts';
import type { Drift, DriftedObject } from './find-drift.ts';

function thingOf({ of, table, name, detail }: DriftedObject, hasDetail: boolean): string {
  const about = detail !== '' && hasDetail ? `: ${detail}` : '';
  switch (of) {
    case 'column':
      return `column ${table}.${name}${about}`;
    case 'table':
      return name === table ? `table ${table}` : `table ${name} of ${table}${about}`;
    case 'primary key':
      return `primary key of ${table}${about}`;
    case 'index':
    case 'foreign key':
    case 'trigger':
      return `${of} ${name} of ${table}${about}`;
  }
}

/** One line: what, where, and what to do next. */
export function describeDrift(thing: DriftedObject, dialect: DialectName): string {
  const { kind, detail, migration = '' } = thing;
  const file = `migrations/${migration}/${dialect}/up.sql`;
  switch (kind) {
    case 'missing':
      return `missing: ${thingOf(thing, true)}; recreate it with its statement in ${file}`;
    case 'changed':
      return `changed: ${thingOf(thing, false)} ${detail}; change it back to what ${file} says`;
    case 'undeclared':
      return `in no migration: ${thingOf(thing, true)}; to keep it, create it in a migration of your own: npx content-gen migrations new`;
  }
}

/** All differences, for a terminal; empty if there is nothing to report. */
export function describeAll({ drifted, undeclared, more, unknown, hidden }: Drift, dialect: DialectName): string {
  if (unknown !== undefined) {
    return `\nThe database can't be compared with its migrations: ${unknown}\n`;
  }
  const lines = (things: readonly DriftedObject[]): string =>
    things.map((thing) => `  ${describeDrift(thing, dialect)}\n`).join('');
  const parts = [
    drifted.length > 0
      ? `\nThe database differs from what these migrations created. This is not repaired automatically:\n${lines(drifted)}`
      : '',
    undeclared.length > 0
      ? `\nNo migration created these parts of its tables, which is not an error:\n${lines(undeclared)}`
      : '',
    hidden === undefined ? '' : `\nNot compared: ${hidden}\n`,
    more ? '\nThere are more differences than listed here.\n' : '',
  ];
  return parts.join('');
}
