/** Form for a new API token; its secret is shown once. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useSession } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { LostResponseError } from '../rest/request.ts';
import { PermissionMatrix } from './permission-matrix.tsx';
import { chosenIn, grantable } from './token-permissions.ts';
import { TOKEN_KINDS, useChangeTokens } from './tokens.ts';

/** The end of a day in the browser's time zone, in ISO 8601; null for an empty input. */
function endOf(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString();
}

export function NewToken() {
  const translate = useTranslate();
  const session = useSession();
  const { create } = useChangeTokens();
  const textOf = useProblemText();
  const { isBusy, run } = useBusy();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<(typeof TOKEN_KINDS)[number]>('read-only');
  const [lastDay, setLastDay] = useState('');
  const [tree, setTree] = useState(() => grantable(session));
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function make(): Promise<void> {
    setProblem(undefined);
    setSecret(undefined);
    try {
      const permissions = kind === 'custom' ? chosenIn(tree) : [];
      setSecret(await create({ name, kind, permissions, expiresAt: endOf(lastDay) }));
      setName('');
      setTree(grantable(session));
    } catch (error) {
      setProblem(error instanceof LostResponseError ? translate('people.tokenLost') : textOf(error));
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    void run(make);
  }
  return (
    <Stack component="form" sx={{ gap: 2, my: 2 }} onSubmit={submit}>
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 2 }}>
        <TextField
          label={translate('people.name')}
          required
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={translate('people.kind')}
          select
          value={kind}
          onChange={({ target }) => setKind(target.value as typeof kind)}
          sx={{ minWidth: 160 }}
        >
          {TOKEN_KINDS.map((one) => (
            <MenuItem key={one} value={one}>
              {one}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          label={translate('people.expires')}
          type="date"
          value={lastDay}
          onChange={({ target }) => setLastDay(target.value)}
          slotProps={{ inputLabel: { shrink: true } }}
        />
        <Button type="submit" variant="contained" loading={isBusy}>
          {translate('ra.action.create')}
        </Button>
      </Stack>
      {kind === 'custom' && (
        <PermissionMatrix tree={tree} label={translate('people.tokenMatrix')} isReadOnly={false} onChange={setTree} />
      )}
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      {secret !== undefined && (
        <Alert severity="success" sx={{ overflowWrap: 'anywhere' }}>
          {translate('people.tokenOnce')} <code>{secret}</code>
        </Alert>
      )}
    </Stack>
  );
}
