import OpenInNewIcon from '@mui/icons-material/OpenInNew';
import Button from '@mui/material/Button';
import { useTranslate } from 'react-admin';
import { useModel } from '../model/model-context.tsx';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';

/** `…?type={type}&id={id}`, with what the entry has. */
function filled(template: string, { type, locale }: EntryTarget, entry: LoadedEntry): string {
  const known: Record<string, unknown> = {
    ...entry.values,
    type: type.uid,
    id: entry.id,
    locale: entry.locale ?? locale,
  };
  return template.replaceAll(/\{(?<name>\w+)\}/gu, (_placeholder, name: string) => {
    const value = known[name];
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : '';
  });
}

/** Where the entry can be looked at, if the schema says so. */
export function PreviewLink({ target, entry }: { readonly target: EntryTarget; readonly entry: LoadedEntry }) {
  const translate = useTranslate();
  const { previewUrl } = useModel().model;
  if (previewUrl === undefined) return null;
  return (
    <Button
      component="a"
      href={filled(previewUrl, target, entry)}
      target="_blank"
      rel="noreferrer"
      startIcon={<OpenInNewIcon />}
    >
      {translate('entry.preview')}
    </Button>
  );
}
