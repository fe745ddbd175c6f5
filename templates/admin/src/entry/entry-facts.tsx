import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import { formatsLocale } from '../i18n/formats-locale.ts';
import type { LoadedEntry } from './load-entry.ts';

interface Props {
  readonly entry: LoadedEntry;
  readonly documentId: string | undefined;
}

/** When an entry was created, updated and published, and how requests identify it. */
export function EntryFacts({ entry, documentId }: Props) {
  const translate = useTranslate();
  const locale = formatsLocale(useLocale());
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const times = [
    ['createdAt', entry.createdAt],
    ['updatedAt', entry.updatedAt],
    ['publishedAt', entry.publishedAt],
  ] as const;
  return (
    <Typography component="div" variant="body2" color="text.secondary">
      {times.map(([name, time]) =>
        typeof time === 'string' ? (
          <div key={name}>
            {translate(`entry.${name}`)}: {format.format(new Date(time))}
          </div>
        ) : null,
      )}
      <div>id: {entry.id}</div>
      {documentId !== undefined && <div>documentId: {documentId}</div>}
    </Typography>
  );
}
