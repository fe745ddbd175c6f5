/** A table cell, rendered by attribute type. */
import CheckIcon from '@mui/icons-material/Check';
import Chip from '@mui/material/Chip';
import { type RaRecord, useLocale, useTranslate } from 'react-admin';
import { formatsLocale } from '../i18n/formats-locale.ts';
import type { MediaFile } from '../media/media-file.ts';
import { MediaThumb } from '../media/media-thumb.tsx';
import type { ColumnType } from '../../../runtime/src/contract/attribute-types/column-type.ts';
import { columnTypeOf } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type Attribute, enumLabelOf, isScalar, type RelationAttribute } from '../model/model.ts';
import { textOf } from '../model/text-of.ts';
import { useModel } from '../model/model-context.tsx';
import { flat, populatedCount, populatedMany, populatedOne, refOf } from '../rest/rest-entry.ts';

interface Props {
  readonly record: RaRecord;
  readonly name: string;
  /** Undefined for system fields, such as `updatedAt`. */
  readonly attribute: Attribute | undefined;
}

const SHORT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** Dates without a time must not shift with the browser's time zone. */
const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone: 'UTC' };

function RelationCell({ value, attribute }: { readonly value: unknown; readonly attribute: RelationAttribute }) {
  const target = useModel().type(attribute.target);
  const count = populatedCount(value);
  if (count !== undefined) return count;
  const one = populatedOne(value);
  return one ? <bdi>{refOf(one, target).title}</bdi> : null;
}

function MediaCell({ value }: { readonly value: unknown }) {
  const one = populatedOne(value) ?? populatedMany(value)[0];
  return one ? <MediaThumb file={flat(one) as unknown as MediaFile} size={40} /> : null;
}

function BooleanCell({ value }: { readonly value: unknown }) {
  const translate = useTranslate();
  if (value !== true) return null;
  return <CheckIcon fontSize="small" titleAccess={translate('list.yes')} />;
}

function MomentCell({ value, options }: { readonly value: unknown; readonly options: Intl.DateTimeFormatOptions }) {
  const locale = formatsLocale(useLocale());
  return typeof value === 'string' ? new Intl.DateTimeFormat(locale, options).format(new Date(value)) : null;
}

const MAX_CHARACTERS = 120;

function shortened(value: unknown): string {
  const text = textOf(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function ScalarCell({ value, columnType }: { readonly value: unknown; readonly columnType: ColumnType | undefined }) {
  switch (columnType) {
    case 'boolean':
      return <BooleanCell value={value} />;
    case 'date':
      return <MomentCell value={value} options={DAY} />;
    case 'datetime':
      return <MomentCell value={value} options={SHORT} />;
    default:
      return <bdi>{shortened(value)}</bdi>;
  }
}

export function Cell({ record, name, attribute }: Props) {
  const value: unknown = record[name];
  if (!attribute) return <ScalarCell value={value} columnType={name.endsWith('At') ? 'datetime' : undefined} />;
  if (attribute.type === 'relation') return <RelationCell value={value} attribute={attribute} />;
  if (attribute.type === 'media') return <MediaCell value={value} />;
  if (!isScalar(attribute)) return shortened(value);
  if (attribute.enum) {
    return typeof value === 'string' ? (
      <Chip label={enumLabelOf(attribute, value)} size="small" variant="outlined" />
    ) : null;
  }
  return <ScalarCell value={value} columnType={columnTypeOf(attribute.type)} />;
}
