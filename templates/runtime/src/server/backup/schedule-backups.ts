/** Makes backups at a regular interval while a server runs. */
import type { Logger } from '../../http/log.ts';
import { backupTime, listBackups } from './backup-folder.ts';
import type { BackupSettings } from './backup-settings.ts';
import { type BackupSource, createBackup } from './create-backup.ts';

/** Delay of the first backup, in milliseconds, so that it doesn't slow down the start, nor run in every cycle of a restart loop. */
const FIRST_AFTER = 60_000;
/** Delay before a failed backup is retried, in milliseconds. */
const RETRY_AFTER = 10 * 60_000;
/** The longest delay that a timer supports, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** A running schedule. */
export interface BackupSchedule {
  /** Cancels the schedule, and aborts a running backup. */
  stop(): Promise<void>;
}

async function delayOf({ directory, every }: BackupSettings, isAgain: boolean): Promise<number> {
  const latest = (await listBackups(directory).catch(() => [])).at(-1);
  const due = latest === undefined ? 0 : backupTime(latest) + (every ?? 0) * 1000 - Date.now();
  return Math.min(LONGEST, Math.max(due, isAgain ? RETRY_AFTER : FIRST_AFTER));
}

/** Starts the schedule. The next backup is due one interval after the newest one, no matter who made that. */
export function scheduleBackups(source: BackupSource, settings: BackupSettings, logger: Logger): BackupSchedule {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function make(): Promise<boolean> {
    try {
      const { name, ...report } = await createBackup(source, settings, { signal: stopping.signal });
      logger.info({ backup: name, ...report }, 'created a backup');
      return true;
    } catch (error) {
      if (!stopping.signal.aborted) logger.error({ err: error, directory: settings.directory }, 'a backup failed');
      return false;
    }
  }

  async function plan(isAgain: boolean): Promise<void> {
    const delay = await delayOf(settings, isAgain);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = make().then((isMade) => plan(!isMade));
    }, delay).unref();
  }

  running = plan(false);
  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
      return running;
    },
  };
}
