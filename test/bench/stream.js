// How much memory own code needs to read a million entries with `stream`, how fast it is, and whether later pages take longer.
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { SETTINGS } from './servers.js';

const STREAM_NOTES = fileURLToPath(new URL('stream-notes.js', import.meta.url));
const COUNT = 1_000_000;
const QUICK_COUNT = 100_000;
const TIME = '2026-01-02T03:04:05.678Z';

async function seedNotes({ numbers, instant, analyze }, database, count) {
  await database.run('DELETE FROM notes');
  await database.run(
    `INSERT INTO notes (title, body, rating, created_at, updated_at)
     SELECT 'Note ' || i, '${'Some words. '.repeat(20)}', i, ${instant(TIME)}, ${instant(TIME)} FROM ${numbers(count)}`,
  );
  const statement = analyze('notes');
  if (statement) await database.run(statement);
}

/** Prints the peak memory of a process of its own that reads all notes, and its speed. */
export async function measureStream({ project, database, engine, options, say }) {
  const count = options.quick ? QUICK_COUNT : COUNT;
  await seedNotes(engine, database, count);
  const env = { ...SETTINGS, DATABASE_URL: database.url };
  const { stdout } = await execa(process.execPath, [STREAM_NOTES, project, String(count)], { env });
  const { read, tenths, memory } = JSON.parse(stdout.trim().split('\n').at(-1));
  if (read !== count) throw new Error(`stream read ${read} entries of ${count}`);
  const seconds = tenths.reduce((sum, time) => sum + time, 0) / 1000;
  const rate = `${Math.round(count / seconds)} a second, the last tenth in ${(tenths.at(-1) / tenths[0]).toFixed(2)} of the time of the first`;
  say(`  stream of ${count} entries: ${memory.toFixed(0)} MB at the peak, ${rate}`);
}
