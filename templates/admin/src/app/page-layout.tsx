import ManageAccountsIcon from '@mui/icons-material/ManageAccounts';
import PhonelinkEraseIcon from '@mui/icons-material/PhonelinkErase';
import PowerSettingsNewIcon from '@mui/icons-material/PowerSettingsNew';
import Box from '@mui/material/Box';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import { type ReactNode, useEffect } from 'react';
import {
  AppBar,
  Layout,
  LoadingIndicator,
  TitlePortal,
  ToggleThemeButton,
  useLocales,
  useLocaleState,
  useNotify,
  UserMenu,
  useTranslate,
  useUserMenu,
} from 'react-admin';
import { Link } from 'react-router';
import { useIgnoredDrops } from '../media/use-file-drop.ts';
import { useModel } from '../model/model-context.tsx';
import { useOwnPart } from '../own/own-part.ts';
import { Logo, useTeamName } from '../own/team.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { RequestsButton } from '../request/requests-button.tsx';
import { useMay, useSession } from './session.ts';
import { SessionEndDialog } from './session-end-dialog.tsx';
import { useSignOut, useSignOutEverywhere } from './sign-out.ts';
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

function AccountItem() {
  const translate = useTranslate();
  const menu = useUserMenu();
  return (
    <MenuItem component={Link} to="/account" onClick={() => menu?.onClose()}>
      <ListItemIcon>
        <ManageAccountsIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText primary={translate('account.title')} />
    </MenuItem>
  );
}

function SignOutItem() {
  const translate = useTranslate();
  return (
    <MenuItem onClick={useSignOut()}>
      <ListItemIcon>
        <PowerSettingsNewIcon fontSize="small" />
      </ListItemIcon>
      <ListItemText primary={translate('ra.auth.logout')} />
    </MenuItem>
  );
}

function SignOutEverywhereItem() {
  const translate = useTranslate();
  const signOut = useSignOutEverywhere();
  return (
    <MenuItem onClick={() => void signOut()}>
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
      <AccountItem />
      <LanguageItems />
      <SignOutItem />
      {useMay()('users', 'me') && <SignOutEverywhereItem />}
    </UserMenu>
  );
}

function PageBar() {
  const { model } = useModel();
  const name = useTeamName() ?? model.name;
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
      <Box sx={{ marginInlineEnd: 2, '&:empty': { display: 'none' } }}>
        <Logo alt={name} height={28} />
      </Box>
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

/** Says once that the team's own part is missing. */
function useBrokenPartNotice(): void {
  const notify = useNotify();
  const { isBroken } = useOwnPart();
  useEffect(() => {
    if (isBroken) notify('own.notLoaded', { type: 'warning' });
  }, [isBroken, notify]);
}

export function PageLayout({ children }: { readonly children: ReactNode }) {
  useIgnoredDrops();
  useBrokenPartNotice();
  return (
    <Layout appBar={PageBar} menu={TypeMenu} sx={narrow}>
      {children}
      <SessionEndDialog />
    </Layout>
  );
}
