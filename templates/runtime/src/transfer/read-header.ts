/** The first line of a file that is imported. */
import { Refused } from '../auth/commands/command.ts';
import { anyHeader, headerLine, VERSION, type Header } from './format.ts';
import { describeState, type SchemaState } from './schema-state.ts';
import { expectLine, type Source } from './source.ts';

/** Reads it. Throws Refused where it is not the beginning of an export, or of one that this server can't read. */
export async function readHeader(source: Source): Promise<Header> {
  const value = await source.next();
  const { version } = expectLine(source, value, anyHeader, 'the beginning of an export');
  if (version !== VERSION) {
    throw new Refused(
      `The file has version ${version} of the format, and this server reads version ${VERSION}. ` +
        'Import it with the server that has written it.',
    );
  }
  return expectLine(source, value, headerLine, 'the beginning of an export');
}

/** Throws Refused unless the file comes from a database that is at the same migration. */
export function checkSchema({ migration, project }: Header, state: SchemaState): void {
  if (migration.name === state.name && migration.sum === state.sum) return;
  throw new Refused(
    `The file is of another schema: ${project} at the migration ${describeState(migration)}, ` +
      `while this database is at ${describeState(state)}. ` +
      'Import it with the project as it was at the export; migrate afterwards.',
  );
}
