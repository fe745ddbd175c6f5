/** How long reads may take. */
import type { Client } from '../base/client.ts';
import type { DatabaseSettings } from './database-settings.ts';

/** The settings that limit the time of reads. */
export type ReadTimeLimits = Pick<DatabaseSettings, 'statementTimeout' | 'publicTimeout' | 'readTimePerMinute'>;

/** The time limit of a read for a client, in milliseconds; 0: none. */
export function timeLimitOf(
  client: Client | undefined,
  { statementTimeout, publicTimeout }: Omit<ReadTimeLimits, 'readTimePerMinute'>,
): number {
  if (client?.isAnonymous !== true || publicTimeout === 0) return statementTimeout;
  return statementTimeout === 0 ? publicTimeout : Math.min(statementTimeout, publicTimeout);
}
