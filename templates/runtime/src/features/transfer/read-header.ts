/** Reads and checks the first line of an import. */
import { CommandRefused } from '../../base/command-errors.ts';
import { anyHeader, FORMER_VERSION, type Header, headerLine, VERSION } from './format.ts';
import { describeMigration, type SchemaState } from './schema-state.ts';
import { expectLine, type Source } from './source.ts';

/** Reads the header. Throws ImportFileError if the line is not the header of an export, CommandRefused if its version is not supported. */
export async function readHeader(source: Source): Promise<Header> {
  const value = await source.next();
  const { version } = expectLine(source, value, anyHeader, 'the beginning of an export');
  if (version !== VERSION && version !== FORMER_VERSION) {
    throw new CommandRefused(
      `The file has version ${version} of the format, but this server reads versions ${FORMER_VERSION} and ${VERSION}. ` +
        'Import it with the server that wrote it.',
    );
  }
  return expectLine(source, value, headerLine, 'the beginning of an export');
}

/** Throws CommandRefused unless the export was made at the same migration; the engines may differ. */
export function checkSchema({ migration, project, version }: Header, state: SchemaState): void {
  const sums = version === FORMER_VERSION ? state.formerSums : [state.migration.sum];
  if (migration.name === state.migration.name && sums.includes(migration.sum)) return;
  throw new CommandRefused(
    `The file was exported with another schema: ${project} at the migration ${describeMigration(migration)}, ` +
      `while this database is at ${describeMigration(state.migration)}. ` +
      'Import it with the project in the state of the export, and migrate afterwards.',
  );
}
