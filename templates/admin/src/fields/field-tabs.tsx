/** The tabs of a form. All their fields are there at any time, so that they are checked. Loaded on demand. */
import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useEffect, useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFormState } from 'react-hook-form';
import type { Attributes } from '../model/model.ts';
import { FieldRows } from './attribute-fields.tsx';
import type { FieldTab } from './field-places.ts';
import { useRevealedField } from './reveal.ts';

interface Props {
  readonly attributes: Attributes;
  readonly tabs: readonly FieldTab[];
}

export default function FieldTabs({ attributes, tabs }: Props) {
  const translate = useTranslate();
  const id = useId();
  const [selected, setSelected] = useState(0);
  const { errors } = useFormState();
  const revealed = useRevealedField();
  const tabOf = (name: string): number => tabs.findIndex(({ rows }) => rows.some((row) => row.includes(name)));
  useEffect(() => {
    const [name = ''] = revealed?.path.split('.') ?? [];
    const index = tabOf(name);
    if (index !== -1) setSelected(index);
    // Only when a field is asked for.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [revealed]);
  const invalid = new Set(Object.keys(errors).map(tabOf));
  return (
    <>
      <Tabs
        value={Math.min(selected, tabs.length - 1)}
        onChange={(_event, index: number) => setSelected(index)}
        variant="scrollable"
        aria-label={translate('form.tabs')}
        sx={{ mt: { md: -1.5 }, mb: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {tabs.map(({ name }, index) => (
          <Tab
            key={name}
            id={`${id}-${index}`}
            aria-controls={`${id}-${index}-fields`}
            label={name}
            {...(invalid.has(index) && {
              icon: <ErrorIcon color="error" fontSize="small" titleAccess={translate('item.hasError')} />,
              iconPosition: 'end' as const,
            })}
            sx={{ minHeight: 48, textTransform: 'none' }}
          />
        ))}
      </Tabs>
      {tabs.map(({ name, rows }, index) => (
        <Box
          key={name}
          role="tabpanel"
          id={`${id}-${index}-fields`}
          aria-labelledby={`${id}-${index}`}
          hidden={index !== Math.min(selected, tabs.length - 1)}
        >
          <FieldRows attributes={attributes} prefix="" rows={rows} />
        </Box>
      ))}
    </>
  );
}
