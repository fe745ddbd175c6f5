/** Describes how a database differs from what its migrations have made, and what to do about it. */
import type { DialectName } from '../../database/dialect.ts';
import type { Drift, DriftedThing } from './find-drift.ts';

function thingOf({ of, table, name, detail }: DriftedThing, hasDetail: boolean): string {
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
export function describeDrift(thing: DriftedThing, dialect: DialectName): string {
  const { kind, detail, migration = '' } = thing;
  const file = `migrations/${migration}/${dialect}/up.sql`;
  switch (kind) {
    case 'missing':
      return `missing: ${thingOf(thing, true)}; make it again by its statement in ${file}`;
    case 'changed':
      return `changed: ${thingOf(thing, false)} ${detail}; change it back, to what ${file} says`;
    case 'undeclared':
      return `in no migration: ${thingOf(thing, true)}; to keep it, have a migration of your own make it: content-gen migrations new`;
  }
}

/** All differences, for a terminal; empty if there is nothing to report. */
export function describeAll({ drifted, undeclared, more, unknown, hidden }: Drift, dialect: DialectName): string {
  if (unknown !== undefined) {
    return `\nWhether the database is as its migrations have left it can't be told: ${unknown}\n`;
  }
  const lines = (things: readonly DriftedThing[]): string =>
    things.map((thing) => `  ${describeDrift(thing, dialect)}\n`).join('');
  const parts = [
    drifted.length > 0
      ? `\nThe database is not as these migrations have left it. Nothing mends that by itself:\n${lines(drifted)}`
      : '',
    undeclared.length > 0
      ? `\nNo migration made these parts of its tables, which is no fault:\n${lines(undeclared)}`
      : '',
    hidden === undefined ? '' : `\nNot compared: ${hidden}\n`,
    more ? '\nThere is more than is listed here.\n' : '',
  ];
  return parts.join('');
}
