/** Saves an entry. If the response is lost, finds out whether the save was stored; nothing is sent twice without the user. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { HttpError } from 'react-admin';
import { useSession } from '../app/session.ts';
import { resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { forgetRows } from '../rest/relation-rows.ts';
import { LostResponseError } from '../rest/request.ts';
import { type EntryTarget, isNew } from './entry-target.ts';
import { useFindOutcome } from './find-outcome.ts';
import { keepAttempts, keptAttempts } from './kept-attempts.ts';
import { placeOf } from './kept-changes.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Outcome } from './outcome.ts';
import { type Attempt, type Publication, type Save, useSaveEntry } from './save-entry.ts';

/** What the user is told about a save without a response. `unknown`: the server can't be asked. */
export type Loss = 'not-saved' | 'unclear' | 'unknown';

export type Result =
  | Extract<Outcome, { kind: 'saved' }>
  | { readonly kind: 'conflict'; readonly publication: Publication }
  | { readonly kind: Loss };

export interface Attempts {
  /** `told`: what the user knew when they saved. Throws HttpError if the save is refused. */
  readonly save: (save: Save, told: Loss | undefined) => Promise<Result>;
  /** Finds out what became of the latest save. */
  readonly check: () => Promise<Result>;
  readonly forget: () => void;
}

/** In milliseconds: the server may still be working on a request whose connection was lost. */
const PAUSE = 1000;

export function useAttempts(target: EntryTarget, before: LoadedEntry | undefined): Attempts {
  const { prepare, send } = useSaveEntry(target, before);
  const findOutcome = useFindOutcome(target);
  const index = useModel();
  const client = useQueryClient();
  const place = placeOf(target, useSession().user.id);
  const { type } = target;
  /** Attempts that may have been stored, or may still be. */
  const open = useRef<readonly Attempt[] | undefined>(undefined);
  const openNow = (): readonly Attempt[] => (open.current ??= isNew(target) ? keptAttempts(place) : []);

  function keep(attempts: readonly Attempt[]): void {
    open.current = attempts;
    if (isNew(target)) keepAttempts(place, attempts, type.attributes, index);
  }

  function done(result: Extract<Result, { kind: 'saved' }>): Result {
    keep([]);
    forgetRows(client, resourceOf(type), target.id);
    return result;
  }

  async function check(): Promise<Result> {
    try {
      const outcome = await findOutcome(openNow());
      if (outcome.kind === 'saved') return done(outcome);
      if (outcome.kind !== 'changed') return { kind: outcome.kind };
      return { kind: 'conflict', publication: openNow().at(-1)?.publication ?? 'as-it-is' };
    } catch (error) {
      if (error instanceof HttpError && error.status < 500) throw error;
      return { kind: 'unknown' };
    }
  }

  /** After 412, which may be due to an earlier attempt, or to a request that the browser has repeated by itself. */
  async function conflict(attempt: Attempt, earlier: readonly Attempt[]): Promise<Result> {
    const result = await check().catch(() => undefined);
    if (result?.kind === 'saved') return result;
    keep(earlier);
    return { kind: 'conflict', publication: attempt.publication };
  }

  async function save(request: Save, told: Loss | undefined): Promise<Result> {
    const earlier = openNow();
    if (isNew(target) && earlier.length > 0) {
      const result = await check();
      const maySend = result.kind === 'not-saved' || (result.kind === 'unclear' && told === 'unclear');
      if (!maySend) return result;
    }
    const attempt = await prepare(request);
    keep([...earlier, attempt]);
    try {
      return done({ kind: 'saved', attempt, saved: await send(attempt) });
    } catch (error) {
      if (error instanceof LostResponseError) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        return await check();
      }
      if (error instanceof HttpError && error.status === 412) return await conflict(attempt, earlier);
      keep(earlier);
      throw error;
    }
  }
  return { save, check, forget: () => keep([]) };
}
