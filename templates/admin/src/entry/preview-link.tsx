import OpenInNewIcon from '@mui/icons-material/OpenInNew';
import Button from '@mui/material/Button';
import { useTranslate } from 'react-admin';
import { useModel } from '../model/model-context.tsx';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry;
  readonly documentId: string | undefined;
}

/** Fills placeholders of the preview URL, as in `…?type={type}&id={id}`, with values of the entry. */
function filled(template: string, { target: { type, locale }, entry, documentId }: Props): string {
  const known: Record<string, unknown> = {
    ...entry.values,
    type: type.uid,
    id: entry.id,
    documentId,
    locale: entry.locale ?? locale,
  };
  return template.replaceAll(/\{(?<name>\w+)\}/gu, (_placeholder, name: string) => {
    const value = known[name];
    return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : '';
  });
}

/** Link to the preview URL, if the schema configures one. */
export function PreviewLink(props: Props) {
  const translate = useTranslate();
  const { previewUrl } = useModel().model;
  if (previewUrl === undefined) return null;
  return (
    <Button
      component="a"
      href={filled(previewUrl, props)}
      target="_blank"
      rel="noreferrer"
      startIcon={<OpenInNewIcon />}
    >
      {translate('entry.preview')}
    </Button>
  );
}
