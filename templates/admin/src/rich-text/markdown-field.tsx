/** The Markdown editor: source text, toolbar and preview. Loaded on demand. */
import VisibilityIcon from '@mui/icons-material/Visibility';
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { fieldLabel } from '../fields/field-label.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { FullScreen, useFullScreen } from '../fields/full-screen.tsx';
import { useField } from '../fields/use-field.ts';
import { WordCount } from '../fields/word-count.tsx';
import { UploadProgress } from '../media/upload-button.tsx';
import type { ScalarAttribute } from '../model/model.ts';
import { type MarkdownEditor, openMarkdownEditor } from './markdown-editor.ts';
import { markdownIn } from './markdown-paste.ts';
import { MarkdownToolbar } from './markdown-toolbar.tsx';
import { proseStyles } from './prose-styles.ts';
import { useStoreImages } from './store-images.ts';
import { ToolbarButton } from './toolbar-button.tsx';

const MarkdownPreview = lazy(() => import('./markdown-preview.tsx'));

export default function MarkdownField(props: FieldProps<ScalarAttribute>) {
  const translate = useTranslate();
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<MarkdownEditor>();
  const [isPreview, setIsPreview] = useState(false);
  const { field, problem, isReadOnly } = useField(props);
  const { images, uploads, dismiss } = useStoreImages();
  const { button, ...full } = useFullScreen();
  const label = fieldLabel(props);
  const text = String(field.value ?? '');
  const latest = useRef({ text, onChange: field.onChange, onBlur: field.onBlur });
  latest.current = { text, onChange: field.onChange, onBlur: field.onBlur };

  useEffect(() => {
    if (!host.current) return undefined;
    const opened = openMarkdownEditor(host.current, {
      text: latest.current.text,
      label,
      isReadOnly,
      onChange: (changed) => latest.current.onChange(changed),
      onBlur: () => latest.current.onBlur(),
      textOf: (data) => markdownIn(data, images),
    });
    setEditor(opened);
    return () => opened.close();
  }, [label, isReadOnly, images]);
  const { getValues } = useFormContext();
  useEffect(() => {
    // While the user types, the rendered value may be older than the form's; it must not overwrite the editor.
    if (text === String(getValues(props.source) ?? '')) editor?.setText(text);
  }, [editor, text, getValues, props.source]);

  return (
    <FieldFrame
      id={id}
      label={label}
      attribute={props.attribute}
      problem={problem}
      words={<WordCount value={text} textOf={String} />}
    >
      <FullScreen label={label} {...full}>
        <Paper variant="outlined" sx={{ minWidth: 0, '&:focus-within': { borderColor: 'primary.main' } }}>
          <Stack direction="row" sx={{ alignItems: 'flex-start', p: 0.5 }}>
            <Box role="toolbar" aria-label={translate('text.toolbar')} sx={{ display: 'flex', flexWrap: 'wrap' }}>
              {!isReadOnly && !isPreview && <MarkdownToolbar editor={editor} />}
              <ToolbarButton
                label={translate('text.preview')}
                icon={VisibilityIcon}
                isActive={isPreview}
                onClick={() => setIsPreview(!isPreview)}
              />
            </Box>
            {button}
          </Stack>
          <Divider />
          <Box ref={host} hidden={isPreview} sx={{ maxHeight: 'var(--text-height, 640px)', overflowY: 'auto' }} />
          {isPreview && (
            <Box sx={[{ px: 2, py: 1 }, proseStyles as object]}>
              <Suspense>
                <MarkdownPreview text={text} />
              </Suspense>
            </Box>
          )}
        </Paper>
      </FullScreen>
      <UploadProgress uploads={uploads} dismiss={dismiss} />
    </FieldFrame>
  );
}
