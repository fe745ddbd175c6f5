/** A role and its permissions. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import { Confirm, Title, useNotify, useRedirect, useTranslate } from 'react-admin';
import { useParams } from 'react-router';
import { useLeaveGuard } from '../app/leave-guard.ts';
import { useProblemText } from '../app/problem-text.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';
import { type RoleInput, useChangeRoles, useRole } from './roles.ts';

interface Props {
  readonly id: number | undefined;
  readonly before: RoleInput;
  /** Whether this is one of the two built-in roles, which can't be deleted. */
  readonly isBuiltIn: boolean;
}

function RoleForm({ id, before, isBuiltIn }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const redirect = useRedirect();
  const may = useMay();
  const { save, remove } = useChangeRoles();
  const [first] = useState(before);
  const [role, setRole] = useState(first);
  const [problem, setProblem] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const isReadOnly = !may('roles', id === undefined ? 'create' : 'update');

  const textOf = useProblemText();
  const busy = useBusy();
  const isDone = useRef(false);
  const isDirty = role !== first;
  useLeaveGuard({ isDirty, isDirtyNow: () => isDirty && !isDone.current, busy });

  async function run(work: () => Promise<void>, message: string): Promise<void> {
    await busy.run(async () => {
      setProblem(undefined);
      try {
        await work();
        isDone.current = true;
      } catch (error) {
        setProblem(textOf(error));
      }
    });
    if (!isDone.current) return;
    notify(message, { type: 'success' });
    redirect('/roles');
  }
  return (
    <Stack sx={{ gap: 2, mt: 2 }}>
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 2, alignItems: 'center' }}>
        <TextField
          label={translate('people.name')}
          value={role.name}
          onChange={({ target }) => setRole({ ...role, name: target.value })}
          slotProps={{ input: { readOnly: isReadOnly } }}
        />
        <TextField
          label={translate('people.description')}
          value={role.description}
          onChange={({ target }) => setRole({ ...role, description: target.value })}
          slotProps={{ input: { readOnly: isReadOnly } }}
          sx={{ flex: 1 }}
        />
        {!isReadOnly && (
          <Button
            variant="contained"
            loading={busy.isBusy}
            onClick={() => void run(() => save(id, role), 'entry.saved')}
          >
            {translate('ra.action.save')}
          </Button>
        )}
        {id !== undefined && !isBuiltIn && may('roles', 'destroy') && (
          <Button color="error" disabled={busy.isBusy} onClick={() => setIsAsking(true)}>
            {translate('ra.action.delete')}
          </Button>
        )}
      </Stack>
      <PermissionMatrix
        tree={role.permissions}
        label={translate('people.matrix')}
        isReadOnly={isReadOnly}
        onChange={(permissions) => setRole({ ...role, permissions })}
      />
      <Confirm
        isOpen={isAsking}
        title={translate('ra.action.delete')}
        content={translate('people.deleteRole')}
        onConfirm={() => {
          setIsAsking(false);
          void run(() => remove(id ?? 0), 'people.roleDeleted');
        }}
        onClose={() => setIsAsking(false)}
      />
    </Stack>
  );
}

export function RolePage() {
  const translate = useTranslate();
  const { id: text } = useParams();
  const id = text === undefined ? undefined : Number(text);
  const { data, error, refetch } = useRole(id);
  if (!data) return <EntryProblem error={error} onRetry={refetch} />;
  const { name = '', description, permissions, type = '' } = data;
  return (
    <>
      <Title title={name === '' ? translate('people.newRole') : name} />
      <RoleForm
        key={id}
        id={id}
        before={{ name, description: description ?? '', permissions }}
        isBuiltIn={type === 'public' || type === 'authenticated'}
      />
    </>
  );
}
