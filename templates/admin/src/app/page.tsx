/** The root component: the admin panel for signed-in users, the sign-in form for everyone else. */
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { useI18n } from '../i18n/i18n-context.ts';
import { type Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import { loadOwnPart, type OwnPart, OwnPartProvider, SHORT_PATIENCE } from '../own/own-part.ts';
import { ask } from '../rest/request.ts';
import { FirstUserScreen, firstUserToken } from './first-user-screen.tsx';
import { resetCode, ResetScreen } from './reset-screen.tsx';
import { readSession, readSignInOptions, type Session } from './session.ts';
import { Shell } from './shell.tsx';
import { SignInScreen } from './sign-in-screen.tsx';

const loadPages = () => import('./admin-pages.tsx');

/** Loaded while the session and the model are read, or while the user signs in. */
const AdminPages = lazy(loadPages);

type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly canReset: boolean; readonly own: OwnPart }
  | { readonly kind: 'signed-in'; readonly session: Session; readonly index: ModelIndex; readonly own: OwnPart };

async function readState(known?: Session): Promise<State> {
  const session = known ?? (await readSession());
  const model = await ask<Model>({ path: 'admin/model' });
  return { kind: 'signed-in', session, index: new ModelIndex(model), own: await loadOwnPart(model.own) };
}

/** Without what the server can't say now, the sign-in is a plain one. */
async function readSignedOut(): Promise<State> {
  const options = await readSignInOptions().catch(() => undefined);
  const own = await loadOwnPart(options?.own, SHORT_PATIENCE);
  return { kind: 'signed-out', canReset: options?.passwordReset === true, own };
}

/** Adds the team's languages before anything is shown. */
function useSignIn() {
  const { add } = useI18n();
  const [state, setState] = useState<State>({ kind: 'starting' });
  const show = useCallback(
    async (next: State) => {
      if (next.kind !== 'starting') await add(next.own.panel.languages);
      setState(next);
    },
    [add],
  );
  const start = useCallback(async (session?: Session) => show(await readState(session)), [show]);
  const end = useCallback(() => {
    setState({ kind: 'starting' });
    void readSignedOut().then(show);
  }, [show]);
  useEffect(() => {
    void loadPages();
    // Either there is no session or the role has no access; the form shows the reason when it is submitted.
    readState().then(show, end);
  }, [end, show]);
  /** Renders the screen that the URL now names. */
  const again = useCallback(() => setState((now) => ({ ...now })), []);
  return { state, start, end, again };
}

type SignIn = ReturnType<typeof useSignIn>;

/** The screen that comes before the panel: a link leads to it, or nobody is signed in. */
function firstScreen({ state, start, again }: SignIn): ReactNode {
  const code = resetCode();
  // Also for somebody who is signed in, perhaps as another user.
  if (code !== undefined) return <ResetScreen code={code} onSignedIn={start} onLeave={again} />;
  if (state.kind !== 'signed-out') return undefined;
  const token = firstUserToken();
  if (token !== undefined) return <FirstUserScreen token={token} onSignedIn={start} />;
  return <SignInScreen canReset={state.canReset} onSignedIn={start} />;
}

function Screens() {
  const signIn = useSignIn();
  const { state, end } = signIn;
  if (state.kind === 'starting') return null;
  const first = firstScreen(signIn);
  return (
    <OwnPartProvider value={state.own}>
      <Suspense>
        {first !== undefined && <Shell>{first}</Shell>}
        {first === undefined && state.kind === 'signed-in' && (
          <AdminPages key={state.session.user.id} session={state.session} index={state.index} onSignOut={end} />
        )}
      </Suspense>
    </OwnPartProvider>
  );
}

export function Page() {
  const router = useMemo(() => createBrowserRouter([{ path: '*', element: <Screens /> }], { basename: '/admin' }), []);
  return <RouterProvider router={router} />;
}
