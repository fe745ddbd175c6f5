/** Runs the SQL of a migration like the migrator, without recording it. */
import { readScript } from '../../templates/runtime/src/contract/migrations/read-script.ts';
import { statementCount } from '../../templates/runtime/src/contract/migrations/script.ts';
import { splitStatements } from '../../templates/runtime/src/contract/sql/statements.ts';
import type { TestDatabase } from '../../templates/runtime/test-support/engines.ts';

/** `text` is an `up.sql` or a `down.sql`. */
export async function runSql(
  { dialect, script }: Pick<TestDatabase, 'dialect' | 'script'>,
  text: string,
): Promise<void> {
  if (dialect !== 'postgres') return script(text);
  const statements = splitStatements(text, dialect);
  let end = 0;
  for (const part of readScript(text, dialect).parts) {
    const own = statements.slice(end, (end += statementCount(part))).join('\n;\n');
    await script(part.runs === 'concurrently' ? own : `BEGIN;\n${own}\n;\nCOMMIT;`);
  }
}
