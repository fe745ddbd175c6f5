/** The field of a relation. */
import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { FieldProps } from '../fields/field-props.ts';
import { ROLES } from '../model/accounts.ts';
import { labelOf, type RelationAttribute } from '../model/model.ts';
import { RoleField } from '../people/role-field.tsx';
import { RelationListField } from './relation-list-field.tsx';
import { RelationOneField } from './relation-one-field.tsx';

export function RelationField(props: FieldProps<RelationAttribute>) {
  const translate = useTranslate();
  const value: unknown = useWatch({ name: props.source });
  if (value === undefined) {
    return (
      <Alert severity="info" variant="outlined">
        {labelOf(props.name, props.attribute)}: {translate('relation.hidden')}
      </Alert>
    );
  }
  if (props.attribute.target === ROLES.uid) return <RoleField {...props} />;
  return props.attribute.multiple ? <RelationListField {...props} /> : <RelationOneField {...props} />;
}
