import CodeIcon from '@mui/icons-material/Code';
import FormatBoldIcon from '@mui/icons-material/FormatBold';
import FormatItalicIcon from '@mui/icons-material/FormatItalic';
import FormatListBulletedIcon from '@mui/icons-material/FormatListBulleted';
import FormatListNumberedIcon from '@mui/icons-material/FormatListNumbered';
import FormatQuoteIcon from '@mui/icons-material/FormatQuote';
import ImageIcon from '@mui/icons-material/Image';
import LinkIcon from '@mui/icons-material/Link';
import TitleIcon from '@mui/icons-material/Title';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMay } from '../app/session.ts';
import { LinkDialog } from './link-dialog.tsx';
import type { MarkdownEditor } from './markdown-editor.ts';
import { markdownOfFiles } from './markdown-paste.ts';
import { ToolbarButton } from './toolbar-button.tsx';

const MediaDialog = lazy(() => import('../media/media-dialog.tsx'));

/** Marks that wrap the selection. */
const MARKS = [
  ['bold', '**', FormatBoldIcon],
  ['italic', '_', FormatItalicIcon],
  ['code', '`', CodeIcon],
] as const;

/** Prefixes of selected lines. */
const PREFIXES = [
  ['headingOne', '## ', TitleIcon],
  ['bulletList', '- ', FormatListBulletedIcon],
  ['orderedList', '1. ', FormatListNumberedIcon],
  ['quote', '> ', FormatQuoteIcon],
] as const;

export function MarkdownToolbar({ editor }: { readonly editor: MarkdownEditor | undefined }) {
  const translate = useTranslate();
  const may = useMay();
  const [asked, setAsked] = useState<'link' | 'image'>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      {MARKS.map(([name, mark, icon]) => (
        <ToolbarButton
          key={name}
          label={translate(`text.${name}`)}
          icon={icon}
          onClick={() => editor?.wrap(mark, mark)}
        />
      ))}
      {PREFIXES.map(([name, prefix, icon]) => (
        <ToolbarButton
          key={name}
          label={translate(`text.${name}`)}
          icon={icon}
          onClick={() => editor?.prefixLines(prefix)}
        />
      ))}
      <ToolbarButton label={translate('text.link')} icon={LinkIcon} onClick={() => setAsked('link')} />
      {may('upload', 'find') && (
        <ToolbarButton label={translate('text.image')} icon={ImageIcon} onClick={() => setAsked('image')} />
      )}
      {asked === 'link' && (
        <LinkDialog
          url=""
          onSave={(url) => {
            close();
            if (url !== '') editor?.wrap('[', `](${url})`);
          }}
          onClose={close}
        />
      )}
      {asked === 'image' && (
        <Suspense>
          <MediaDialog
            isMultiple
            allowedKinds={['images']}
            onChoose={(files) => {
              close();
              editor?.insert(markdownOfFiles(files));
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
