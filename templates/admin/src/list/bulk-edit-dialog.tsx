/** Sets an attribute of the selected entries to the same value, all or none of a hundred at a time. Loaded on demand. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Form, type Identifier, useListContext, useNotify, useRefresh, useTranslate, useUnselect } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { useProblemText } from '../app/problem-text.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { useHasDraft } from '../entry/entry-draft.ts';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { FormModeProvider } from '../fields/form-mode.ts';
import { type Attributes, type ContentType, labelOf, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { entryBody } from '../rest/entry-body.ts';
import { newValues } from '../rest/form-values.ts';
import { changingAction } from '../rest/permitted-entries.ts';
import { ask } from '../rest/request.ts';
import { eachOf, SomeFailedError } from '../rest/some-failed-error.ts';
import { bulkAttributes } from './bulk-attributes.ts';
import { changeSeveral, EntryRefusedError, isOnlyByRequest } from './change-several.ts';
import { type Failure, useFailureText } from './failure-text.ts';

interface Result {
  readonly done: readonly Identifier[];
  readonly refused: readonly Failure[];
}

/** Returns a function that sets the values of entries. If one is refused, nothing is done for those sent with it. */
function useChange(type: ContentType): (ids: readonly Identifier[], data: object) => Promise<Result> {
  const { format } = useModel().model;
  const hasDraft = useHasDraft(type);
  const resource = resourceOf(type);
  const pathOf = (id: Identifier): string => `${resource}/${id}`;

  async function oneByOne(ids: readonly Identifier[], data: object): Promise<Result> {
    const query = hasDraft ? { status: 'draft' } : {};
    try {
      await eachOf(ids, (id) => ask({ method: 'PUT', path: pathOf(id), query, body: { data } }));
      return { done: ids, refused: [] };
    } catch (error) {
      if (!(error instanceof SomeFailedError)) throw error;
      const failed = new Set(error.failures.map(([id]) => id));
      return { done: ids.filter((id) => !failed.has(id)), refused: error.failures };
    }
  }
  return async (ids, data) => {
    const query = hasDraft ? '?status=draft' : '';
    try {
      await changeSeveral(
        ids,
        // What they are now does not matter: one attribute becomes what was chosen.
        (id) => ({ method: 'PUT', path: `/api/${pathOf(id)}${query}`, body: { data }, ifMatch: '*' }),
        format === 'v5',
      );
      return { done: ids, refused: [] };
    } catch (error) {
      if (!(error instanceof EntryRefusedError)) throw error;
      if (isOnlyByRequest(error)) return await oneByOne(ids, data);
      return { done: error.done, refused: [[error.id, error.cause]] };
    }
  };
}

/** What no stored value is: everything in the form differs from it, so that an empty value is sent as well. */
const UNKNOWN = { __unknown: true };

interface EditProps {
  readonly type: ContentType;
  readonly attributes: Attributes;
  readonly name: string;
  readonly onClose: () => void;
}

function EditForm({ type, attributes, name, onClose }: EditProps) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const problemText = useProblemText();
  const failureText = useFailureText(type);
  const index = useModel();
  const { selectedIds } = useListContext();
  const unselect = useUnselect(resourceOf(type));
  const { handleSubmit } = useFormContext<FieldValues>();
  const [refused, setRefused] = useState<readonly Failure[]>([]);
  const { isBusy, run } = useBusy();
  const change = useChange(type);
  const remaining = selectedIds.filter((id) => refused.every(([other]) => other !== id));

  async function save(values: FieldValues): Promise<void> {
    try {
      const data = await entryBody(attributes, values, { [name]: UNKNOWN }, index, () => Promise.resolve(undefined));
      const result = await change(remaining, data);
      if (result.done.length > 0) {
        notify('bulkEdit.done', { type: 'success', messageArgs: { smart_count: result.done.length } });
        unselect([...result.done]);
        refresh();
      }
      if (result.refused.length === 0) onClose();
      else setRefused([...refused, ...result.refused]);
    } catch (error) {
      notify(problemText(error), { type: 'error' });
    }
  }
  return (
    <>
      <DialogContent>
        {refused.length > 0 && (
          <Alert severity="warning" sx={{ mb: 2, whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {[translate('bulkEdit.refused'), ...failureText(refused)].join('\n')}
          </Alert>
        )}
        <AttributeFields attributes={attributes} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button
          variant="contained"
          loading={isBusy}
          disabled={remaining.length === 0}
          onClick={() => void run(() => handleSubmit(save)())}
        >
          {translate('bulkEdit.apply', { smart_count: remaining.length })}
        </Button>
      </DialogActions>
    </>
  );
}

interface Props {
  readonly type: ContentType;
  readonly onClose: () => void;
}

export default function BulkEditDialog({ type, onClose }: Props) {
  const translate = useTranslate();
  const hasDraft = useHasDraft(type);
  const possible = bulkAttributes(type, changingAction(useMay(), type));
  const [name, setName] = useState(Object.keys(possible)[0] ?? '');
  const attribute = possible[name];
  const attributes: Attributes = attribute ? { [name]: attribute } : {};
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="bulk-edit-title">
      <DialogTitle id="bulk-edit-title">{translate('bulkEdit.title')}</DialogTitle>
      <DialogContent sx={{ '&&': { pt: 1 }, flex: 'none' }}>
        {hasDraft && (
          <Typography variant="body2" color="text.secondary" sx={{ mb: 2 }}>
            {translate('bulkEdit.drafts')}
          </Typography>
        )}
        <TextField
          select
          fullWidth
          label={translate('conditions.attribute')}
          value={name}
          onChange={({ target }) => setName(target.value)}
        >
          {Object.entries(possible).map(([other, one]) => (
            <MenuItem key={other} value={other}>
              {labelOf(other, one)}
            </MenuItem>
          ))}
        </TextField>
      </DialogContent>
      <FormModeProvider value={{ isReadOnly: false, isDraft: hasDraft }}>
        <Form key={name} record={{ id: 0, ...newValues(attributes) }} mode="onChange">
          <EditForm type={type} attributes={attributes} name={name} onClose={onClose} />
        </Form>
      </FormModeProvider>
    </Dialog>
  );
}
