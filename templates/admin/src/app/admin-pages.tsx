/** The pages for whoever is signed in: lists and entries of each type, and what is beside them. */
import { lazy, useMemo } from 'react';
import { AdminUI, CustomRoutes, Resource } from 'react-admin';
import { Route } from 'react-router';
import { EntryCreatePage } from '../entry/entry-create-page.tsx';
import { EntryEditPage } from '../entry/entry-edit-page.tsx';
import { SinglePage } from '../entry/single-page.tsx';
import { EntryList } from '../list/entry-list.tsx';
import { type ContentType, resourceOf } from '../model/model.ts';
import { type ModelIndex, ModelProvider } from '../model/model-context.tsx';
import { RolePage } from '../people/role-page.tsx';
import { RolesPage } from '../people/roles-page.tsx';
import { TokensPage } from '../people/tokens-page.tsx';
import { createDataProvider } from '../rest/data-provider.ts';
import { createAuthProvider } from './auth-provider.ts';
import { Dashboard } from './dashboard.tsx';
import { PageLayout } from './page-layout.tsx';
import { may, type Session, SessionProvider } from './session.ts';
import { Shell } from './shell.tsx';

const MediaPage = lazy(() => import('../media/media-page.tsx'));
const ModelPage = lazy(() => import('../model/model-page.tsx'));

interface Props {
  readonly session: Session;
  readonly index: ModelIndex;
  readonly onSignOut: () => void;
}

function resourceFor(type: ContentType) {
  const name = resourceOf(type);
  const options = { label: type.displayName };
  return type.kind === 'single' ? (
    <Resource key={name} name={name} options={options} list={SinglePage} />
  ) : (
    <Resource
      key={name}
      name={name}
      options={options}
      list={EntryList}
      edit={EntryEditPage}
      create={EntryCreatePage}
      recordRepresentation={type.mainField}
    />
  );
}

export function AdminPages({ session, index, onSignOut }: Props) {
  const dataProvider = useMemo(
    () => createDataProvider(index, ({ uid }) => may(session, uid, 'preview')),
    [index, session],
  );
  const users = index.type('user');
  const authProvider = useMemo(() => createAuthProvider(session, index, onSignOut), [session, index, onSignOut]);
  return (
    <SessionProvider value={session}>
      <ModelProvider index={index}>
        <Shell dataProvider={dataProvider} authProvider={authProvider}>
          <AdminUI title={index.model.name} layout={PageLayout} dashboard={Dashboard} disableTelemetry>
            {index.model.types.map(resourceFor)}
            {users && resourceFor(users)}
            <CustomRoutes>
              <Route path="/media" element={<MediaPage />} />
              <Route path="/roles" element={<RolesPage />} />
              <Route path="/roles/create" element={<RolePage />} />
              <Route path="/roles/:id" element={<RolePage />} />
              <Route path="/tokens" element={<TokensPage />} />
              <Route path="/model" element={<ModelPage />} />
            </CustomRoutes>
          </AdminUI>
        </Shell>
      </ModelProvider>
    </SessionProvider>
  );
}
