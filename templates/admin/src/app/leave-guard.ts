/** Asks for confirmation before the user leaves unsaved changes by following a link or closing the page. */
import { useEffect, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { type Location, useBlocker } from 'react-router';
import type { Busy } from './use-busy.ts';

let isReloading = false;

/** Reloads the page without asking. */
export function reloadPage(): void {
  isReloading = true;
  location.reload();
}

/** Asks for confirmation before the page is closed. */
export function useUnloadGuard(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      if (!isReloading) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isActive]);
}

/** Locales of a single type, and those of new entries, differ only in the query. */
function isElsewhere(one: Location, other: Location): boolean {
  return one.pathname !== other.pathname || one.search !== other.search;
}

interface Guarded {
  readonly isDirty: boolean;
  readonly isDirtyNow: () => boolean;
  /** Whether a save is running; links wait for its result. */
  readonly busy: Pick<Busy, 'isBusy' | 'isBusyNow'>;
}

/** The guards on the screen. Each returns whether it has unsaved changes, or is saving. */
const guards = new Set<() => boolean>();

/** Whether something on the screen has unsaved changes, or is being saved. */
export function isGuarded(): boolean {
  return [...guards].some((guard) => guard());
}

/** Guards a form: while it has unsaved changes, closing the page asks, and so does `useLeaveBlocker`. */
export function useLeaveGuard({ isDirty, isDirtyNow, busy }: Guarded): void {
  const { isBusy, isBusyNow } = busy;
  useUnloadGuard(isDirty || isBusy);
  const latest = useRef(isDirtyNow);
  latest.current = isDirtyNow;
  useEffect(() => {
    const guard = (): boolean => isBusyNow() || latest.current();
    guards.add(guard);
    return () => {
      guards.delete(guard);
    };
  }, [isBusyNow]);
}

/** Asks before a link leaves something unsaved on the screen: in the form of the page, or in a drawer. A page has at most one. */
export function LeaveBlocker({ busy: { isBusy } }: Pick<Guarded, 'busy'>) {
  const translate = useTranslate();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isElsewhere(currentLocation, nextLocation) && isGuarded(),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked' || isBusy) return;
    if (!isGuarded() || confirm(translate('ra.message.unsaved_changes'))) blocker.proceed();
    else blocker.reset();
  }, [blocker, isBusy, translate]);
  return null;
}
