/** The own account: name, password, language and sessions. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { HttpError, Title, useLocales, useLocaleState, useNotify, useTranslate } from 'react-admin';
import { reloadPage } from '../app/leave-guard.ts';
import { NewPasswordFields, newPasswordIn } from '../app/new-password-fields.tsx';
import { useProblemText } from '../app/problem-text.ts';
import { changePassword, useMay, useSession } from '../app/session.ts';
import { useSignOutEverywhere } from '../app/sign-out.ts';
import { useBusy } from '../app/use-busy.ts';
import { textOf } from '../model/text-of.ts';
import { ask } from '../rest/request.ts';

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" variant="outlined" aria-labelledby={id} sx={{ p: { xs: 2, md: 3 } }}>
      <Typography id={id} component="h2" variant="h6" sx={{ mb: 2 }}>
        {title}
      </Typography>
      {children}
    </Paper>
  );
}

interface FormProps {
  readonly submitLabel: string;
  /** Returns what is wrong; undefined if nothing is. */
  readonly onSubmit: (data: FormData) => Promise<string | undefined>;
  readonly children: ReactNode;
}

function AccountForm({ submitLabel, onSubmit, children }: FormProps) {
  const [problem, setProblem] = useState<string>();
  const { isBusy, run } = useBusy();
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    void run(async () => {
      const found = await onSubmit(data);
      setProblem(found);
      if (found === undefined) form.reset();
    });
  }
  return (
    <Stack component="form" sx={{ gap: 2, alignItems: 'stretch' }} onSubmit={submit}>
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      {children}
      <Button type="submit" variant="contained" loading={isBusy} sx={{ alignSelf: 'flex-start' }}>
        {submitLabel}
      </Button>
    </Stack>
  );
}

function NameSection() {
  const translate = useTranslate();
  const problemText = useProblemText();
  const { user, role } = useSession();
  const mayChange = useMay()('users', 'update');

  async function save(data: FormData): Promise<string | undefined> {
    try {
      const username = textOf(data.get('username'));
      await ask({ method: 'PUT', path: `users/${user.id}`, body: { username } });
      // The session of the page has the name as well.
      reloadPage();
      return undefined;
    } catch (error) {
      return problemText(error);
    }
  }
  const facts = (
    <Typography variant="body2" color="text.secondary">
      {translate('account.email')}: {user.email}
      <br />
      {translate('account.role')}: {role.name}
    </Typography>
  );
  return (
    <Section title={translate('account.name')}>
      {mayChange ? (
        <AccountForm submitLabel={translate('ra.action.save')} onSubmit={save}>
          <TextField
            name="username"
            label={translate('account.username')}
            defaultValue={user.username}
            autoComplete="username"
            required
          />
          {facts}
        </AccountForm>
      ) : (
        <>
          <Typography>{user.username}</Typography>
          {facts}
        </>
      )}
    </Section>
  );
}

/** Messages of the server that it has no codes for, and the panel's own. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'The provided current password is invalid': 'account.wrong',
  'Your new password must be different than your current password': 'account.same',
};

function PasswordSection() {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();

  async function change(data: FormData): Promise<string | undefined> {
    const passwords = newPasswordIn(data);
    if (!passwords) return translate('account.different');
    try {
      await changePassword(textOf(data.get('currentPassword')), passwords);
      notify('account.changed', { type: 'success' });
      return undefined;
    } catch (error) {
      const known = error instanceof HttpError ? PROBLEMS[error.message] : undefined;
      return known === undefined ? problemText(error) : translate(known);
    }
  }
  return (
    <Section title={translate('account.password')}>
      <AccountForm submitLabel={translate('account.change')} onSubmit={change}>
        <TextField
          name="currentPassword"
          type="password"
          label={translate('account.current')}
          autoComplete="current-password"
          required
        />
        <NewPasswordFields />
      </AccountForm>
    </Section>
  );
}

function LanguageSection() {
  const translate = useTranslate();
  const [locale, setLocale] = useLocaleState();
  return (
    <Section title={translate('account.language')}>
      <TextField
        select
        fullWidth
        label={translate('account.language')}
        value={locale}
        onChange={({ target }) => setLocale(target.value)}
      >
        {useLocales().map(({ locale: code, name }) => (
          <MenuItem key={code} value={code} lang={code}>
            {name}
          </MenuItem>
        ))}
      </TextField>
    </Section>
  );
}

function SessionsSection() {
  const translate = useTranslate();
  const signOut = useSignOutEverywhere();
  return (
    <Section title={translate('account.sessions')}>
      <Typography variant="body2" sx={{ mb: 2 }}>
        {translate('account.sessionsExplained')}
      </Typography>
      <Button variant="outlined" color="error" onClick={() => void signOut()}>
        {translate('session.everywhere')}
      </Button>
    </Section>
  );
}

export default function AccountPage() {
  const translate = useTranslate();
  // The routes about the own account need this permission.
  const isOwn = useMay()('users', 'me');
  return (
    <Stack sx={{ gap: 2, mt: 2, maxWidth: 560 }}>
      <Title title={translate('account.title')} />
      <NameSection />
      {isOwn && <PasswordSection />}
      <LanguageSection />
      {isOwn && <SessionsSection />}
    </Stack>
  );
}
