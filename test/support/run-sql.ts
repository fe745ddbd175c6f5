/** Runs the SQL of a migration like the migrator, without recording it. */
import { unitsOf } from '../../templates/runtime/src/migrator/units.ts';
import type { TestDatabase } from '../../templates/runtime/test-support/engines.ts';

/** `text` is an `up.sql` or a `down.sql`. */
export async function runSql(
  { dialect, script }: Pick<TestDatabase, 'dialect' | 'script'>,
  text: string,
): Promise<void> {
  if (dialect !== 'postgres') return script(text);
  for (const unit of unitsOf(text, dialect)) await script(unit.index ? unit.text : `BEGIN;\n${unit.text}\n;\nCOMMIT;`);
}
