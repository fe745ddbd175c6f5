/** Loads what keeps the versions of entries, if a type of the schema has a history. */
import { fileURLToPath } from 'node:url';
import { explainMissingModule } from '../base/missing-module.ts';
import type { OpenedHistory } from '../entries/history/open-history.ts';
import type { Logger } from '../http/log.ts';
import { readMigrationFiles, readPlans } from '../migrator/read-migrations.ts';
import type { ServerDefinition } from './definition.ts';

function keepsVersions({ contentTypes }: Pick<ServerDefinition, 'contentTypes'>): boolean {
  return Object.values(contentTypes.types).some(({ history }) => history);
}

/** With the renames of the project's migrations, if a type has a history. Throws a MigrationError if they can't be read. */
export async function withRenames(definition: ServerDefinition): Promise<ServerDefinition> {
  if (!keepsVersions(definition)) return definition;
  const plans = readPlans(await readMigrationFiles(fileURLToPath(definition.migrations)));
  const renames = plans.flatMap((plan) => (plan.renames && plan.renames.length > 0 ? [plan.renames] : []));
  return renames.length === 0 ? definition : { ...definition, contentTypes: { ...definition.contentTypes, renames } };
}

/** Undefined if no type has one. */
export async function loadHistory(definition: ServerDefinition, logger: Logger): Promise<OpenedHistory | undefined> {
  if (!keepsVersions(definition)) return undefined;
  const { openHistory } = await import('../entries/history/open-history.ts').catch(explainMissingModule('history'));
  return openHistory(definition.contentTypes, (error) =>
    logger.warn({ err: error }, 'the versions of entries could not be tended: it is tried again later'),
  );
}
