import PhonelinkEraseIcon from '@mui/icons-material/PhonelinkErase';
import PowerSettingsNewIcon from '@mui/icons-material/PowerSettingsNew';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import {
  AppBar,
  Layout,
  LoadingIndicator,
  TitlePortal,
  ToggleThemeButton,
  useLocales,
  useLocaleState,
  useLogout,
  useNotify,
  UserMenu,
  useTranslate,
  useUserMenu,
} from 'react-admin';
import { useIgnoredDrops } from '../media/use-file-drop.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { RequestsButton } from '../request/requests-button.tsx';
import { isGuarded } from './leave-guard.ts';
import { signOutEverywhere, useMay, useSession } from './session.ts';
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

/** Asks before unsaved changes are left, like every other way out of a form. */
function SignOutItem() {
  const translate = useTranslate();
  const signOut = useLogout();
  function onClick(): void {
    if (!isGuarded() || confirm(translate('ra.message.unsaved_changes'))) void signOut();
  }
  return (
    <MenuItem onClick={onClick}>
      <ListItemIcon>
        <PowerSettingsNewIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText primary={translate('ra.auth.logout')} />
    </MenuItem>
  );
}

/** Ends the sessions on all devices: this page then shows the sign-in, as after any other end. */
function SignOutEverywhereItem() {
  const translate = useTranslate();
  const signOut = useLogout();
  const notify = useNotify();
  async function onClick(): Promise<void> {
    if (!confirm(translate(isGuarded() ? 'ra.message.unsaved_changes' : 'session.confirmEverywhere'))) return;
    try {
      await signOutEverywhere();
      await signOut();
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), { type: 'error' });
    }
  }
  return (
    <MenuItem onClick={() => void onClick()}>
      <ListItemIcon>
        <PhonelinkEraseIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText primary={translate('session.everywhere')} />
    </MenuItem>
  );
}

function OwnMenu() {
  return (
    <UserMenu label={useSession().user.username}>
      <LanguageItems />
      <SignOutItem />
      {useMay()('users', 'me') && <SignOutEverywhereItem />}
    </UserMenu>
  );
}

function PageBar() {
  const toolbar = (
    <>
      <PaletteButton />
      <RequestsButton />
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
  // Without a stacking context of its own, a text on the full screen covers the bar.
  '& .RaLayout-content': { px: { xs: 1, md: 3 }, pb: 6, zIndex: 'auto' },
};

export function PageLayout({ children }: { readonly children: ReactNode }) {
  useIgnoredDrops();
  return (
    <Layout appBar={PageBar} menu={TypeMenu} sx={narrow}>
      {children}
      <SessionEndDialog />
    </Layout>
  );
}
