/** Asks the user to sign in again after the session has ended, on top of the current screen, so that nothing is lost. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { setSessionEndHandler } from '../rest/request.ts';
import { reloadPage } from './leave-guard.ts';
import { type Session, useSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { onSignInElsewhere } from './sign-in-channel.ts';

type SessionUser = Session['user'];

interface OtherProps {
  readonly user: SessionUser;
  readonly other: SessionUser;
  readonly onSignIn: () => void;
}

/** Unsaved changes on the screen belong to `user`, and must not be saved as `other`. */
function OtherUser({ user, other, onSignIn }: OtherProps) {
  const translate = useTranslate();
  const names = { user: user.username, other: other.username };
  return (
    <>
      <DialogContent>
        <DialogContentText>{translate('session.otherExplained', names)}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button onClick={reloadPage}>{translate('session.continueAs', names)}</Button>
        <Button variant="contained" onClick={onSignIn}>
          {translate('session.signInAs', names)}
        </Button>
      </DialogActions>
    </>
  );
}

type State = 'signed-in' | 'ended' | SessionUser;

/** The state of the session. Failed requests wait until the user of this screen is signed in again. */
function useSessionState() {
  const { user } = useSession();
  const [state, setState] = useState<State>('signed-in');
  const waiting = useRef<(() => void)[]>([]);

  function signedIn(other: SessionUser): void {
    if (other.id !== user.id) {
      setState(other);
      return;
    }
    setState('signed-in');
    for (const resolve of waiting.current.splice(0)) resolve();
  }
  useEffect(() => {
    setSessionEndHandler(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setState((before) => (before === 'signed-in' ? 'ended' : before));
        }),
    );
    const stop = onSignInElsewhere(signedIn);
    return () => {
      setSessionEndHandler(undefined);
      stop();
    };
  }, []);
  return { user, state, signedIn, askAgain: () => setState('ended') };
}

export function SessionEndDialog() {
  const translate = useTranslate();
  const { user, state, signedIn, askAgain } = useSessionState();
  const isOther = typeof state === 'object';
  return (
    <Dialog open={state !== 'signed-in'} fullWidth maxWidth="xs" aria-labelledby="session-ended">
      <DialogTitle id="session-ended">{translate(isOther ? 'session.other' : 'session.ended')}</DialogTitle>
      {isOther ? (
        <OtherUser user={user} other={state} onSignIn={askAgain} />
      ) : (
        <DialogContent sx={{ '&&': { pt: 1 } }}>
          <SignInForm
            identifier={user.email}
            onSignedIn={async (session) => {
              signedIn(session.user);
            }}
          />
        </DialogContent>
      )}
    </Dialog>
  );
}
