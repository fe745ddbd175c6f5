/** The editor for `blocks`, loaded on demand. */
import Divider from '@mui/material/Divider';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import { EditorContent, useEditor } from '@tiptap/react';
import { useEffect, useId, useMemo, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { textOfBlocks } from '../entry/blocks-text.ts';
import { fieldLabel } from '../fields/field-label.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { FullScreen, useFullScreen } from '../fields/full-screen.tsx';
import { useRawField } from '../fields/use-raw-field.ts';
import { WordCount } from '../fields/word-count.tsx';
import { UploadProgress } from '../media/upload-button.tsx';
import type { ScalarAttribute } from '../model/model.ts';
import { blocksOf, documentOf } from './blocks-document.ts';
import { EXTENSIONS } from './blocks-extensions.ts';
import { pasteProps } from './blocks-paste.ts';
import { BlocksToolbar } from './blocks-toolbar.tsx';
import { proseStyles } from './prose-styles.ts';
import { useStoreImages } from './store-images.ts';

export default function BlocksField(props: FieldProps<ScalarAttribute>) {
  const id = useId();
  const { attribute, source } = props;
  const { getValues } = useFormContext();
  const { value, onChange, isReadOnly, problem } = useRawField<unknown>(props, (blocks) => blocks === null);
  const { images, uploads, dismiss } = useStoreImages();
  const { button, ...full } = useFullScreen();
  const paste = useMemo(() => pasteProps(images), [images]);
  /** The editor's last value; values from elsewhere, such as a form reset, differ from it. */
  const known = useRef(JSON.stringify(value ?? null));
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: documentOf(value),
    editable: !isReadOnly,
    // CSP forbids <style>: see prose-styles.ts.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': id, dir: 'auto' },
      ...paste,
    },
    onUpdate: ({ editor: { getJSON }, editor: one }) => {
      const blocks = blocksOf(getJSON.call(one));
      known.current = JSON.stringify(blocks);
      onChange(blocks);
    },
  });
  useEffect(() => {
    const text = JSON.stringify(value ?? null);
    // While the user types, the rendered value may be older than the form's; it must not overwrite the editor.
    if (text === known.current || text !== JSON.stringify(getValues(source) ?? null)) return;
    known.current = text;
    editor.commands.setContent(documentOf(value), { emitUpdate: false });
  }, [editor, value, getValues, source]);
  return (
    <FieldFrame
      id={id}
      label={fieldLabel(props)}
      attribute={attribute}
      problem={problem}
      words={<WordCount value={value} textOf={textOfBlocks} />}
    >
      <FullScreen label={fieldLabel(props)} {...full}>
        <Paper variant="outlined" sx={proseStyles}>
          <Stack direction="row" sx={{ alignItems: 'flex-start', p: 0.5 }}>
            {!isReadOnly && <BlocksToolbar editor={editor} />}
            {button}
          </Stack>
          <Divider />
          <EditorContent editor={editor} />
        </Paper>
      </FullScreen>
      <UploadProgress uploads={uploads} dismiss={dismiss} />
    </FieldFrame>
  );
}
