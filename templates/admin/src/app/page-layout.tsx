import type { ReactNode } from 'react';
import { AppBar, Layout, Logout, TitlePortal, UserMenu } from 'react-admin';
import { RequestsButton } from '../request/requests-button.tsx';
import { useSession } from './session.ts';
import { SessionEndDialog } from './session-end-dialog.tsx';
import { TypeMenu } from './type-menu.tsx';

function OwnMenu() {
  return (
    <UserMenu label={useSession().user.username}>
      <Logout />
    </UserMenu>
  );
}

function PageBar() {
  return (
    <AppBar color="default" elevation={0} alwaysOn userMenu={<OwnMenu />}>
      <TitlePortal component="h1" />
      <RequestsButton />
    </AppBar>
  );
}

export function PageLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Layout
      appBar={PageBar}
      menu={TypeMenu}
      sx={{ '& .RaLayout-content': { minWidth: 0, px: { xs: 1, md: 3 }, pb: 6 } }}
    >
      {children}
      <SessionEndDialog />
    </Layout>
  );
}
