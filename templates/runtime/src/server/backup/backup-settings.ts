/** Settings of SQLite backups: where, how often, how many. */
import { anyText, optional, type ReadText, type ValuesOf, wholeNumber, withDefault } from '../../base/environment.ts';
import { err, ok } from '../../contract/values/cast-result.ts';
import { parseDuration } from '../../features/auth/duration.ts';

export interface BackupSettings {
  readonly directory: string;
  /** Interval in seconds; undefined: backups are made only by the command. */
  readonly every: number | undefined;
  readonly keep: number;
}

/** The shortest interval, in seconds. */
const SHORTEST = 60;

const interval: ReadText<number> = (text) => {
  const seconds = parseDuration(text);
  return seconds === undefined || seconds < SHORTEST
    ? err('must be a duration such as 24h or 15m, at least 1m')
    : ok(seconds);
};

/** The environment variables of these settings. */
export const backupVariables = {
  BACKUP_DIR: withDefault(anyText, './data/backups'),
  BACKUP_EVERY: optional(interval),
  BACKUP_KEEP: withDefault(wholeNumber(1, 10_000), 7),
};

/** The settings as given by the variables. */
export function backupSettings(data: ValuesOf<typeof backupVariables>): BackupSettings {
  return { directory: data.BACKUP_DIR, every: data.BACKUP_EVERY, keep: data.BACKUP_KEEP };
}
