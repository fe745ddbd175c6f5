/** The pages of a signed-in user: lists and entries of each type, media, roles, tokens and the model. */
import { lazy, useMemo } from 'react';
import { AdminUI, CustomRoutes, ResourceDefinitionContextProvider } from 'react-admin';
import { Route } from 'react-router';
import { type ModelIndex, ModelProvider } from '../model/model-context.tsx';
import { EntryDrawerProvider } from '../relations/entry-drawers.ts';
import { createDataProvider } from '../rest/data-provider.ts';
import { OWN_PAGES } from '../own/own-pages.ts';
import { useOwnPart } from '../own/own-part.ts';
import { createAuthProvider } from './auth-provider.ts';
import { PageLayout } from './page-layout.tsx';
import { may, type Session, SessionProvider } from './session.ts';
import { Shell } from './shell.tsx';
import { resourceDefinitions, TypePages, useLoadedForms } from './type-pages.tsx';

const AccountPage = lazy(() => import('../people/account-page.tsx'));
const EntryDrawer = lazy(() => import('../entry/entry-drawer.tsx'));
const HomePage = lazy(() => import('../home/home-page.tsx'));
const AuditPage = lazy(() => import('../audit/audit-page.tsx'));
const WebhooksPage = lazy(() => import('../operation/webhooks-page.tsx'));
const JobsPage = lazy(() => import('../operation/jobs-page.tsx'));
const MediaPage = lazy(() => import('../media/media-page.tsx'));
const ReleasesPage = lazy(() => import('../releases/releases-page.tsx'));
const ReleasePage = lazy(() => import('../releases/release-page.tsx'));
const RolePage = lazy(async () => ({ default: (await import('../people/role-page.tsx')).RolePage }));
const RolesPage = lazy(async () => ({ default: (await import('../people/roles-page.tsx')).RolesPage }));
const TokensPage = lazy(async () => ({ default: (await import('../people/tokens-page.tsx')).TokensPage }));
const OwnPage = lazy(() => import('../own/own-page.tsx'));
const ModelPage = lazy(() => import('../model/model-page.tsx'));

interface Props {
  readonly session: Session;
  readonly index: ModelIndex;
  readonly onSignOut: () => void;
}

export default function AdminPages({ session, index, onSignOut }: Props) {
  useLoadedForms();
  const hasOwnPages = useOwnPart().panel.pages !== undefined;
  const dataProvider = useMemo(
    () => createDataProvider(index, { userId: session.user.id, mayPreview: ({ uid }) => may(session, uid, 'preview') }),
    [index, session],
  );
  const definitions = useMemo(() => resourceDefinitions(index), [index]);
  const authProvider = useMemo(() => createAuthProvider(session, index, onSignOut), [session, index, onSignOut]);
  // Otherwise a type may have this path.
  const hasReleases = index.model.types.some(({ schedules }) => schedules);
  return (
    <SessionProvider value={session}>
      <Shell dataProvider={dataProvider} authProvider={authProvider}>
        <ModelProvider index={index}>
          <EntryDrawerProvider value={EntryDrawer}>
            <ResourceDefinitionContextProvider definitions={definitions}>
              <AdminUI title={index.model.name} layout={PageLayout} dashboard={HomePage} disableTelemetry>
                <CustomRoutes>
                  <Route path="/account" element={<AccountPage />} />
                  <Route path="/media" element={<MediaPage />} />
                  {hasReleases && <Route path="/releases" element={<ReleasesPage />} />}
                  {hasReleases && <Route path="/releases/:id" element={<ReleasePage />} />}
                  <Route path="/roles" element={<RolesPage />} />
                  <Route path="/roles/create" element={<RolePage />} />
                  <Route path="/roles/:id" element={<RolePage />} />
                  <Route path="/tokens" element={<TokensPage />} />
                  {index.model.audit && <Route path="/audit" element={<AuditPage />} />}
                  {index.model.webhooks && <Route path="/webhooks" element={<WebhooksPage />} />}
                  {index.model.jobs && <Route path="/jobs" element={<JobsPage />} />}
                  {hasOwnPages && <Route path={`${OWN_PAGES}/:path`} element={<OwnPage />} />}
                  <Route path="/model" element={<ModelPage />} />
                  <Route path="/:resource/*" element={<TypePages />} />
                </CustomRoutes>
              </AdminUI>
            </ResourceDefinitionContextProvider>
          </EntryDrawerProvider>
        </ModelProvider>
      </Shell>
    </SessionProvider>
  );
}
