/** A value before and after a change, of which the part that differs is marked. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { createContext, type ReactNode, useContext } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { attributeType, columnTypeOf } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { formatsLocale } from '../i18n/formats-locale.ts';
import type { MediaFile } from '../media/media-file.ts';
import { MediaThumb } from '../media/media-thumb.tsx';
import { type Attribute, enumLabelOf, isScalar } from '../model/model.ts';
import { textOf } from '../model/text-of.ts';
import { textOfBlocks } from './blocks-text.ts';
import { differingParts, type TextPart } from './text-difference.ts';

/** Which of the versions a value is in. */
type Side = 'published' | 'draft';

const MARKS = {
  published: { element: 'del', color: 'error.main' },
  draft: { element: 'ins', color: 'success.main' },
} as const;

const MOMENT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };

/** Returns a function for the text of a value. */
function useValueText(attribute: Attribute): (value: unknown) => string {
  const translate = useTranslate();
  const locale = formatsLocale(useLocale());
  return (value) => {
    if (typeof value === 'boolean') return translate(value ? 'list.yes' : 'list.no');
    if (!isScalar(attribute)) return textOf(value);
    if (attribute.enum && typeof value === 'string') return enumLabelOf(attribute, value);
    if (attributeType(attribute.type).input === 'blocks') return textOfBlocks(value);
    const isMoment = columnTypeOf(attribute.type) === 'datetime' && typeof value === 'string';
    return isMoment ? new Intl.DateTimeFormat(locale, MOMENT).format(new Date(value)) : textOf(value);
  };
}

/** The keys of the texts that name the sides. */
export const SideNames = createContext<Readonly<Record<Side, string>>>({
  published: 'draft.published',
  draft: 'draft.draft',
});

function Line({ side, children }: { readonly side: Side; readonly children: ReactNode }) {
  const translate = useTranslate();
  return (
    <Box sx={{ borderLeft: 3, borderColor: MARKS[side].color, pl: 1, my: 0.5, minWidth: 0 }}>
      <Typography variant="caption" color="text.secondary" component="div">
        {translate(useContext(SideNames)[side])}
      </Typography>
      {children}
    </Box>
  );
}

function TextLine({ side, text: { start, part, end } }: { readonly side: Side; readonly text: TextPart }) {
  const translate = useTranslate();
  const isEmpty = start === '' && part === '' && end === '';
  const { element, color } = MARKS[side];
  return (
    <Line side={side}>
      <Typography
        variant="body2"
        dir="auto"
        color={isEmpty ? 'text.secondary' : undefined}
        sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 240, overflowY: 'auto' }}
      >
        {start}
        {part !== '' && (
          <Box component={element} sx={{ textDecorationColor: 'transparent', color, fontWeight: 600 }}>
            {part}
          </Box>
        )}
        {end}
        {isEmpty && translate('field.empty')}
      </Typography>
    </Line>
  );
}

function FileLine({ side, file }: { readonly side: Side; readonly file: MediaFile | null }) {
  const translate = useTranslate();
  return (
    <Line side={side}>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', minWidth: 0 }}>
        {file && <MediaThumb file={file} size={40} />}
        <Typography variant="body2" noWrap color={file ? undefined : 'text.secondary'}>
          {file?.name ?? translate('field.empty')}
        </Typography>
      </Box>
    </Line>
  );
}

interface Props {
  readonly attribute: Attribute;
  readonly before: unknown;
  readonly after: unknown;
}

export function DifferenceValue({ attribute, before, after }: Props) {
  const translate = useTranslate();
  const valueText = useValueText(attribute);
  if (attribute.type === 'media') {
    return (
      <>
        <FileLine side="published" file={before as MediaFile | null} />
        <FileLine side="draft" file={after as MediaFile | null} />
      </>
    );
  }
  const [was, is] = [valueText(before), valueText(after)];
  if (was === is) return <Typography variant="body2">{translate('draft.formatting')}</Typography>;
  const [published, draft] = differingParts(was, is);
  return (
    <>
      <TextLine side="published" text={published} />
      <TextLine side="draft" text={draft} />
    </>
  );
}
