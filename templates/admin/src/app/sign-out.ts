/** Ends sessions; asks before unsaved changes are left, like every other way out of a form. */
import { useLogout, useNotify, useTranslate } from 'react-admin';
import { isGuarded } from './leave-guard.ts';
import { signOutEverywhere } from './session.ts';

export function useSignOut(): () => void {
  const translate = useTranslate();
  const signOut = useLogout();
  return () => {
    if (!isGuarded() || confirm(translate('ra.message.unsaved_changes'))) void signOut();
  };
}

/** Returns a function that ends the sessions on all devices: this page then shows the sign-in, as after any other end. */
export function useSignOutEverywhere(): () => Promise<void> {
  const translate = useTranslate();
  const signOut = useLogout();
  const notify = useNotify();
  return async () => {
    if (!confirm(translate(isGuarded() ? 'ra.message.unsaved_changes' : 'session.confirmEverywhere'))) return;
    try {
      await signOutEverywhere();
      await signOut();
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), { type: 'error' });
    }
  };
}
