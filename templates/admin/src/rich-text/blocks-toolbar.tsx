import CodeIcon from '@mui/icons-material/Code';
import FormatBoldIcon from '@mui/icons-material/FormatBold';
import FormatItalicIcon from '@mui/icons-material/FormatItalic';
import FormatListBulletedIcon from '@mui/icons-material/FormatListBulleted';
import FormatListNumberedIcon from '@mui/icons-material/FormatListNumbered';
import FormatUnderlinedIcon from '@mui/icons-material/FormatUnderlined';
import ImageIcon from '@mui/icons-material/Image';
import LinkIcon from '@mui/icons-material/Link';
import RedoIcon from '@mui/icons-material/Redo';
import StrikethroughSIcon from '@mui/icons-material/StrikethroughS';
import UndoIcon from '@mui/icons-material/Undo';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type Editor, useEditorState } from '@tiptap/react';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';
import { type MediaFile, storable } from '../media/media-file.ts';
import { LinkDialog } from './link-dialog.tsx';
import { ToolbarButton } from './toolbar-button.tsx';

const MediaDialog = lazy(() => import('../media/media-dialog.tsx'));

const LEVELS = [1, 2, 3, 4, 5, 6] as const;
const MARKS = [
  ['bold', FormatBoldIcon],
  ['italic', FormatItalicIcon],
  ['underline', FormatUnderlinedIcon],
  ['strike', StrikethroughSIcon],
  ['code', CodeIcon],
] as const;
const LISTS = [
  ['bulletList', FormatListBulletedIcon],
  ['orderedList', FormatListNumberedIcon],
] as const;

function kindOf(editor: Editor): string {
  const level = LEVELS.find((one) => editor.isActive('heading', { level: one }));
  if (level !== undefined) return `heading${level}`;
  return ['quote', 'codeBlock'].find((name) => editor.isActive(name)) ?? 'paragraph';
}

/** Selects the type of the block at the cursor. */
function KindSelect({ editor, kind }: { readonly editor: Editor; readonly kind: string }) {
  const translate = useTranslate();
  function choose(name: string): void {
    const chain = editor.chain().focus();
    const level = LEVELS.find((one) => name === `heading${one}`);
    if (level !== undefined) chain.setNode('heading', { level }).run();
    else chain.setNode(name).run();
  }
  return (
    <TextField
      select
      size="small"
      variant="standard"
      value={kind}
      onChange={({ target }) => choose(target.value)}
      slotProps={{ htmlInput: { 'aria-label': translate('text.kind') } }}
      sx={{ minWidth: 120, px: 1 }}
    >
      <MenuItem value="paragraph">{translate('text.paragraph')}</MenuItem>
      {LEVELS.map((level) => (
        <MenuItem key={level} value={`heading${level}`}>
          {translate('text.heading', { level })}
        </MenuItem>
      ))}
      <MenuItem value="quote">{translate('text.quote')}</MenuItem>
      <MenuItem value="codeBlock">{translate('text.codeBlock')}</MenuItem>
    </TextField>
  );
}

type Asked = 'link' | 'image' | undefined;

export function BlocksToolbar({ editor }: { readonly editor: Editor }) {
  const translate = useTranslate();
  const [asked, setAsked] = useState<Asked>();
  const state = useEditorState({
    editor,
    selector: ({ editor: { isActive, can }, editor: one }) => ({
      kind: kindOf(one),
      active: [...MARKS, ...LISTS].map(([name]) => name).filter((name) => isActive.call(one, name)),
      url: String(one.getAttributes('link')['href'] ?? ''),
      canUndo: can.call(one).undo(),
      canRedo: can.call(one).redo(),
    }),
  });
  const run = () => editor.chain().focus();
  function setLink(url: string): void {
    const chain = run().extendMarkRange('link');
    if (url === '') chain.unsetMark('link').run();
    else chain.setMark('link', { href: url }).run();
    setAsked(undefined);
  }
  function addImage(chosen: readonly MediaFile[]): void {
    const files = chosen.map(storable);
    run()
      .insertContent(files.map((image) => ({ type: 'image', attrs: { image } })))
      .run();
    setAsked(undefined);
  }
  return (
    <Stack
      direction="row"
      role="toolbar"
      aria-label={translate('text.toolbar')}
      sx={{ flexWrap: 'wrap', alignItems: 'center' }}
    >
      <KindSelect editor={editor} kind={state.kind} />
      {MARKS.map(([name, icon]) => (
        <ToolbarButton
          key={name}
          label={translate(`text.${name}`)}
          icon={icon}
          isActive={state.active.includes(name)}
          onClick={() => void run().toggleMark(name).run()}
        />
      ))}
      <ToolbarButton
        label={translate('text.link')}
        icon={LinkIcon}
        isActive={state.url !== ''}
        onClick={() => setAsked('link')}
      />
      <ToolbarButton
        label={translate('text.bulletList')}
        icon={FormatListBulletedIcon}
        isActive={state.active.includes('bulletList')}
        onClick={() => void run().toggleBulletList().run()}
      />
      <ToolbarButton
        label={translate('text.orderedList')}
        icon={FormatListNumberedIcon}
        isActive={state.active.includes('orderedList')}
        onClick={() => void run().toggleOrderedList().run()}
      />
      <ToolbarButton label={translate('text.image')} icon={ImageIcon} onClick={() => setAsked('image')} />
      <ToolbarButton
        label={translate('text.undo')}
        icon={UndoIcon}
        isDirected
        disabled={!state.canUndo}
        onClick={() => void run().undo().run()}
      />
      <ToolbarButton
        label={translate('text.redo')}
        icon={RedoIcon}
        isDirected
        disabled={!state.canRedo}
        onClick={() => void run().redo().run()}
      />
      {asked === 'link' && <LinkDialog url={state.url} onSave={setLink} onClose={() => setAsked(undefined)} />}
      {asked === 'image' && (
        <Suspense>
          <MediaDialog isMultiple allowedKinds={['images']} onChoose={addImage} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </Stack>
  );
}
