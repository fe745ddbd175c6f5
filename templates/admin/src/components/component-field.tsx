import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { useOfferUndo } from '../app/undo-notice.tsx';
import { fieldLabel } from '../fields/field-label.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { useNestedFields } from '../fields/nested-fields.ts';
import { useRawField } from '../fields/use-raw-field.ts';
import type { ComponentAttribute } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { type ItemValues, newItem, newValues } from '../rest/form-values.ts';

/** The field of a single, optional component. */
export function ComponentField(props: FieldProps<ComponentAttribute>) {
  const translate = useTranslate();
  const offerUndo = useOfferUndo();
  const NestedFields = useNestedFields();
  const id = useId();
  const { source, attribute } = props;
  const component = useModel().component(attribute.component);
  const { value, onChange, isReadOnly, problem } = useRawField<ItemValues | null>(props, (item) => item === null);
  const isThere = value !== null && value !== undefined;
  function remove(): void {
    onChange(null);
    offerUndo(translate('item.removed', { name: component.displayName }), () => onChange(value));
  }
  return (
    <FieldFrame
      id={id}
      label={fieldLabel(props)}
      attribute={attribute}
      problem={problem}
      aside={
        isThere &&
        !isReadOnly && (
          <Button size="small" color="inherit" onClick={remove}>
            {translate('item.empty')}
          </Button>
        )
      }
    >
      {isThere ? (
        <Paper variant="outlined" sx={{ p: 2, minWidth: 0 }}>
          <NestedFields attributes={component.attributes} prefix={`${source}.`} />
        </Paper>
      ) : (
        !isReadOnly && (
          <Button startIcon={<AddIcon />} onClick={() => onChange(newItem(newValues(component.attributes)))}>
            {translate('item.add', { name: component.displayName })}
          </Button>
        )
      )}
    </FieldFrame>
  );
}
