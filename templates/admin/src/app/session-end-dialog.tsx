/** Asks the user to sign in again after the session has ended, on top of the current screen, so that nothing is lost. */
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { whenSessionEnds } from '../rest/request.ts';
import { useSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SessionEndDialog() {
  const translate = useTranslate();
  const { user } = useSession();
  const [waiting, setWaiting] = useState<readonly (() => void)[]>([]);

  useEffect(() => {
    whenSessionEnds(() => new Promise((resolve) => setWaiting((others) => [...others, resolve])));
    return () => whenSessionEnds(undefined);
  }, []);

  async function goOn(): Promise<void> {
    for (const resolve of waiting) resolve();
    setWaiting([]);
  }

  return (
    <Dialog open={waiting.length > 0} fullWidth maxWidth="xs" aria-labelledby="session-ended">
      <DialogTitle id="session-ended">{translate('session.ended')}</DialogTitle>
      <DialogContent sx={{ '&&': { pt: 1 } }}>
        <SignInForm identifier={user.email} onSignedIn={goOn} />
      </DialogContent>
    </Dialog>
  );
}
