/** The first line of a file that is imported. */
import { Refused } from '../../base/command-errors.ts';
import { anyHeader, FORMER_VERSION, headerLine, VERSION, type Header } from './format.ts';
import { describeMigration, type SchemaState } from './schema-state.ts';
import { expectLine, type Source } from './source.ts';

/** Reads it. Throws Refused where it is not the beginning of an export, or of one that this server can't read. */
export async function readHeader(source: Source): Promise<Header> {
  const value = await source.next();
  const { version } = expectLine(source, value, anyHeader, 'the beginning of an export');
  if (version !== VERSION && version !== FORMER_VERSION) {
    throw new Refused(
      `The file has version ${version} of the format, and this server reads the versions ${FORMER_VERSION} and ${VERSION}. ` +
        'Import it with the server that has written it.',
    );
  }
  return expectLine(source, value, headerLine, 'the beginning of an export');
}

/** Throws Refused unless the file comes from a database that is at the same migration, whatever engines there was SQL for. */
export function checkSchema({ migration, project, version }: Header, state: SchemaState): void {
  const sums = version === FORMER_VERSION ? state.formerSums : [state.migration.sum];
  if (migration.name === state.migration.name && sums.includes(migration.sum)) return;
  throw new Refused(
    `The file is of another schema: ${project} at the migration ${describeMigration(migration)}, ` +
      `while this database is at ${describeMigration(state.migration)}. ` +
      'Import it with the project as it was at the export; migrate afterwards.',
  );
}
