/** Inserts many users in one transaction. */
import { explainedMany } from '../../entries/create-many.ts';
import { runWrite } from '../../entries/run-write.ts';
import type { ClaimedValues } from '../../entries/uid-value.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { type AccountInput, planNewAccount } from './accounts.ts';
import type { AuthContext } from './context.ts';
import type { HookedValues } from './user-hooks.ts';

/** A user whose password is hashed: that would take too long within the transaction. */
interface NewUser extends Pick<HookedValues, 'trusts'> {
  readonly input: AccountInput;
}

/** Resolves to the ids, in order. Throws ValidationError, whose paths begin with the index of a user, if a value is taken. */
export async function insertUsers(
  { database, types, userType: type, hooked }: AuthContext,
  call: CallContext,
  all: readonly NewUser[],
): Promise<readonly number[]> {
  const written = runWrite(hooked, { call }, async (tx, run) => {
    const claimed: ClaimedValues = new Set();
    const planned: Awaited<ReturnType<typeof planNewAccount>>[] = [];
    for (const { input, trusts } of all) {
      const write = { tx, types, type, caller: call.caller, reach: run.reach, trusts, claimed };
      planned.push(await planNewAccount(write, input));
    }
    const after = planned.flatMap(({ id }) => run.hooks('afterCreate').after(id));
    // A further step, so that engines report the ids of all.
    const nothingMore = async (): Promise<readonly never[]> => [];
    return {
      subjects: planned.map(({ subject }) => subject),
      steps: [...planned.flatMap(({ steps }) => steps), ...after, nothingMore],
      answer: () => planned.map(({ id }) => id.value),
    };
  });
  return written.catch(async (error: unknown) => {
    const inputs = all.map(({ input }) => ({ input, self: {} }));
    throw await explainedMany({ database, types, type }, inputs, error);
  });
}
