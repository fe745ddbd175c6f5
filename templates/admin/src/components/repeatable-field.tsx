import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { fieldLabel } from '../fields/field-label.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { useFormMode } from '../fields/form-mode.ts';
import { type ComponentAttribute, labelOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { newItem, newValues } from '../rest/form-values.ts';
import { ItemList } from './item-list.tsx';
import { ItemsAside } from './items-aside.tsx';
import { useItems } from './use-items.ts';

/** The field of a repeatable component. */
export function RepeatableField(props: FieldProps<ComponentAttribute>) {
  const translate = useTranslate();
  const id = useId();
  const { source, name, attribute } = props;
  const isReadOnly = useFormMode().isReadOnly || attribute.writable === false;
  const component = useModel().component(attribute.component);
  const items = useItems(source, attribute);
  const isFull = attribute.max !== undefined && items.fields.length >= attribute.max;
  const insert = (at: number): void => items.insert(at, newItem(newValues(component.attributes)));
  return (
    <FieldFrame
      id={id}
      label={fieldLabel(props)}
      attribute={attribute}
      problem={items.problem}
      aside={<ItemsAside {...items} />}
    >
      <ItemList
        source={source}
        label={labelOf(name, attribute)}
        items={items}
        uidOf={() => attribute.component}
        isReadOnly={isReadOnly}
        isFull={isFull}
        onInsert={insert}
      />
      {!isReadOnly && (
        <Button startIcon={<AddIcon />} disabled={isFull} onClick={() => insert(items.fields.length)} sx={{ mt: 1 }}>
          {translate('item.add', { name: component.displayName })}
        </Button>
      )}
    </FieldFrame>
  );
}
