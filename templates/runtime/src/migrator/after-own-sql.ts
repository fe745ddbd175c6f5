/** What follows the SQL of a team: what it need not know about generated ids. */
import type { Session } from '../database/database.ts';
import { advanceIdentities } from './advance-identities.ts';
import { giveItemIds } from './give-item-ids.ts';
import type { Run } from './progress.ts';

/** Completes a migration if a team has written its SQL. */
export async function afterOwnSql(
  session: Session,
  { migration, earlier, direction }: Pick<Run, 'migration' | 'earlier' | 'direction'>,
  { isInTransaction }: { readonly isInTransaction: boolean },
): Promise<void> {
  if (!migration.plan.handWritten) return;
  await advanceIdentities(session);
  await giveItemIds(session, earlier, migration[direction], isInTransaction);
}
