/** The root component: the admin panel for signed-in users, the sign-in form for everyone else. */
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { type Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import { loadOwnPart, type OwnPart, OwnPartProvider } from '../own/own-part.ts';
import { ask } from '../rest/request.ts';
import { FirstUserScreen, firstUserToken } from './first-user-screen.tsx';
import { resetCode, ResetScreen } from './reset-screen.tsx';
import { readSession, type Session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignInScreen } from './sign-in-screen.tsx';

const loadPages = () => import('./admin-pages.tsx');

/** Loaded while the session and the model are read, or while the user signs in. */
const AdminPages = lazy(loadPages);

type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly session: Session; readonly index: ModelIndex; readonly own: OwnPart };

async function readState(known?: Session): Promise<State> {
  const session = known ?? (await readSession());
  const model = await ask<Model>({ path: 'admin/model' });
  return { kind: 'signed-in', session, index: new ModelIndex(model), own: await loadOwnPart(model.own) };
}

function useSignIn() {
  const [state, setState] = useState<State>({ kind: 'starting' });
  const start = useCallback(async (session?: Session) => setState(await readState(session)), []);
  const end = useCallback(() => setState({ kind: 'signed-out' }), []);
  useEffect(() => {
    void loadPages();
    // Either there is no session or the role has no access; the form shows the reason when it is submitted.
    readState().then(setState, end);
  }, [end]);
  /** Renders the screen that the URL now names. */
  const again = useCallback(() => setState((now) => ({ ...now })), []);
  return { state, start, end, again };
}

function Screens() {
  const { state, start, end, again } = useSignIn();
  const token = firstUserToken();
  const code = resetCode();
  if (state.kind === 'starting') return null;
  // Also for somebody who is signed in, perhaps as another user.
  if (code !== undefined) {
    return (
      <Shell>
        <ResetScreen code={code} onSignedIn={start} onLeave={again} />
      </Shell>
    );
  }
  if (state.kind === 'signed-out') {
    return (
      <Shell>
        {token === undefined ? (
          <SignInScreen onSignedIn={start} />
        ) : (
          <FirstUserScreen token={token} onSignedIn={start} />
        )}
      </Shell>
    );
  }
  return (
    <Suspense>
      <OwnPartProvider value={state.own}>
        <AdminPages key={state.session.user.id} session={state.session} index={state.index} onSignOut={end} />
      </OwnPartProvider>
    </Suspense>
  );
}

export function Page() {
  const router = useMemo(() => createBrowserRouter([{ path: '*', element: <Screens /> }], { basename: '/admin' }), []);
  return <RouterProvider router={router} />;
}
