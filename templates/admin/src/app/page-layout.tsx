import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import {
  AppBar,
  Layout,
  LoadingIndicator,
  Logout,
  TitlePortal,
  ToggleThemeButton,
  useLocales,
  useLocaleState,
  UserMenu,
  useUserMenu,
} from 'react-admin';
import { useModel } from '../model/model-context.tsx';
import { RequestsButton } from '../request/requests-button.tsx';
import { useSession } from './session.ts';
import { SessionEndDialog } from './session-end-dialog.tsx';
import { TypeMenu } from './type-menu.tsx';

function LanguageItems() {
  const [locale, setLocale] = useLocaleState();
  const menu = useUserMenu();
  return useLocales().map(({ locale: code, name }) => (
    <MenuItem
      key={code}
      role="menuitemradio"
      aria-checked={code === locale}
      selected={code === locale}
      lang={code}
      onClick={() => {
        setLocale(code);
        menu?.onClose();
      }}
    >
      <ListItemText inset primary={name} />
    </MenuItem>
  ));
}

function OwnMenu() {
  return (
    <UserMenu label={useSession().user.username}>
      <LanguageItems />
      <Logout />
    </UserMenu>
  );
}

function PageBar() {
  const { format } = useModel().model;
  const toolbar = (
    <>
      {/* The page always uses v4 requests; a server whose format is v5 accepts them from this page only. */}
      {format === 'v4' && <RequestsButton />}
      <ToggleThemeButton />
      <LoadingIndicator />
    </>
  );
  return (
    <AppBar color="default" elevation={0} alwaysOn toolbar={toolbar} userMenu={<OwnMenu />}>
      <TitlePortal component="h1" />
    </AppBar>
  );
}

/** Only tables and lists scroll horizontally, never the whole page. */
const narrow = {
  minWidth: 0,
  '& .RaLayout-appFrame, & .RaLayout-contentWithSidebar, & .RaLayout-content': { minWidth: 0 },
  '& .RaLayout-content': { px: { xs: 1, md: 3 }, pb: 6 },
};

export function PageLayout({ children }: { readonly children: ReactNode }) {
  return (
    <Layout appBar={PageBar} menu={TypeMenu} sx={narrow}>
      {children}
      <SessionEndDialog />
    </Layout>
  );
}
