/** The preview of an entry: where it is, and the buttons that show it beside the form or in a tab. */
import OpenInNewIcon from '@mui/icons-material/OpenInNew';
import VisibilityIcon from '@mui/icons-material/VisibilityOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useStore, useTranslate } from 'react-admin';
import { useDrawerFrame } from '../relations/entry-drawers.ts';
import { useModel } from '../model/model-context.tsx';
import { useDocumentId } from './document-id.ts';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';

/** Fills placeholders of the preview URL, as in `…?type={type}&id={id}`, with values of the entry. */
function filled(
  template: string,
  { type, locale }: EntryTarget,
  entry: LoadedEntry,
  documentId: string | undefined,
): string {
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

export interface EntryPreview {
  readonly url: string;
  readonly documentId: string | undefined;
  /** Whether it is shown beside the form. Kept in the browser. */
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** Undefined for new entries and users, in drawers, and if the schema configures no preview. */
export function useEntryPreview(target: EntryTarget, entry: LoadedEntry | undefined): EntryPreview | undefined {
  const { previewUrl } = useModel().model;
  const isInDrawer = useDrawerFrame() !== undefined;
  const shown = previewUrl === undefined || isInDrawer || target.type.uid === 'user' ? undefined : entry;
  const documentId = useDocumentId(target.type, shown);
  const [isOpen, setIsOpen] = useStore('preview.isOpen', false);
  if (previewUrl === undefined || !shown) return undefined;
  return { url: filled(previewUrl, target, shown, documentId), documentId, isOpen, toggle: () => setIsOpen(!isOpen) };
}

/** The buttons of a preview. */
export function PreviewButtons({ preview: { url, isOpen, toggle } }: { readonly preview: EntryPreview }) {
  const translate = useTranslate();
  const inTab = translate('preview.inTab');
  return (
    <>
      <Button
        size="small"
        aria-pressed={isOpen}
        startIcon={<VisibilityIcon />}
        onClick={toggle}
        sx={{ bgcolor: isOpen ? 'action.selected' : undefined }}
      >
        {translate('entry.preview')}
      </Button>
      <Tooltip title={inTab}>
        <IconButton
          size="small"
          color="primary"
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={inTab}
        >
          <OpenInNewIcon fontSize="small" />
        </IconButton>
      </Tooltip>
    </>
  );
}
