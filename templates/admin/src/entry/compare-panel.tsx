/** Shows another locale, read-only, next to the edited one; its values can be copied. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { FormProvider, useForm, useFormContext } from 'react-hook-form';
import { useProblemText } from '../app/problem-text.ts';
import { useCopyValues } from '../components/copy-item.ts';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { FormModeProvider, useFormMode } from '../fields/form-mode.ts';
import { useLocaleName } from '../list/content-locale.tsx';
import { type Attributes, isWritable } from '../model/model.ts';
import type { FormValues } from '../rest/form-values.ts';
import type { LocaleChoice } from './locales.ts';
import { EntryProblem } from './entry-problem.tsx';
import { useEntry } from './load-entry.ts';

/** Attributes with a value per locale; shared ones are equal anyway. */
function localizedOnly(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, attribute]) => attribute.localized !== false && isWritable(attribute)),
  );
}

function OtherForm({ values, attributes }: { readonly values: FormValues; readonly attributes: Attributes }) {
  const form = useForm({ values });
  return (
    <FormProvider {...form}>
      <FormModeProvider value={{ isReadOnly: true, isDraft: true }}>
        <AttributeFields attributes={attributes} />
      </FormModeProvider>
    </FormProvider>
  );
}

function FillButton({
  values,
  attributes,
  name,
}: {
  readonly values: FormValues;
  readonly attributes: Attributes;
  readonly name: string;
}) {
  const translate = useTranslate();
  const form = useFormContext();
  const notify = useNotify();
  const problemText = useProblemText();
  const copyValues = useCopyValues();
  const [isFilling, setIsFilling] = useState(false);
  async function fill(): Promise<void> {
    setIsFilling(true);
    try {
      const copied = await copyValues(values, attributes);
      for (const [path, value] of Object.entries(copied)) {
        if (value !== undefined) form.setValue(path, value, { shouldDirty: true });
      }
    } catch (error) {
      notify(problemText(error), { type: 'error' });
    } finally {
      setIsFilling(false);
    }
  }
  return (
    <Button size="small" variant="outlined" loading={isFilling} onClick={() => void fill()}>
      {translate('entry.fillFrom', { name })}
    </Button>
  );
}

export function ComparePanel({ choice }: { readonly choice: LocaleChoice }) {
  const translate = useTranslate();
  const nameOf = useLocaleName();
  const { isReadOnly } = useFormMode();
  const { data, error, refetch } = useEntry(choice.target);
  const attributes = localizedOnly(choice.target.type.attributes);
  const name = nameOf(choice.locale);
  if (data === undefined) return <EntryProblem error={error} onRetry={refetch} />;
  return (
    <Paper variant="outlined" component="section" aria-label={name} sx={{ p: { xs: 1.5, md: 3 }, minWidth: 0 }}>
      <Stack direction="row" sx={{ mb: 2, gap: 1, alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="h6" component="h2">
          {name}
        </Typography>
        {data && !isReadOnly && <FillButton values={data.values} attributes={attributes} name={name} />}
      </Stack>
      {data ? (
        <OtherForm values={data.values} attributes={attributes} />
      ) : (
        <Alert severity="info">{translate('entry.notThere')}</Alert>
      )}
    </Paper>
  );
}
