/** A new password and its repetition, as the server takes them. */
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { textOf } from '../model/text-of.ts';

export function NewPasswordFields() {
  const translate = useTranslate();
  return (
    <>
      <TextField
        name="password"
        type="password"
        label={translate('account.new')}
        autoComplete="new-password"
        slotProps={{ htmlInput: { minLength: 6 } }}
        required
      />
      <TextField
        name="passwordConfirmation"
        type="password"
        label={translate('account.repeat')}
        autoComplete="new-password"
        required
      />
    </>
  );
}

/** The values of the fields; undefined if they differ. */
export function newPasswordIn(data: FormData) {
  const [password, passwordConfirmation] = [textOf(data.get('password')), textOf(data.get('passwordConfirmation'))];
  return password === passwordConfirmation ? { password, passwordConfirmation } : undefined;
}
