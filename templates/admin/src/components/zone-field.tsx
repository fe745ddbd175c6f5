import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { fieldLabel } from '../fields/field-label.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { useFormMode } from '../fields/form-mode.ts';
import { labelOf, type ZoneAttribute } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { newItem, newValues } from '../rest/form-values.ts';
import { ItemList } from './item-list.tsx';
import { useItems } from './use-items.ts';

interface AddProps {
  readonly uids: readonly string[];
  readonly disabled: boolean;
  readonly onAdd: (uid: string) => void;
}

function AddButton({ uids, disabled, onAdd }: AddProps) {
  const translate = useTranslate();
  const index = useModel();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        startIcon={<AddIcon />}
        aria-haspopup="menu"
        disabled={disabled}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ mt: 1 }}
      >
        {translate('item.addOne')}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {uids.map((uid) => (
          <MenuItem
            key={uid}
            onClick={() => {
              onAdd(uid);
              setAnchor(null);
            }}
          >
            {index.component(uid).displayName}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** A dynamic zone: an ordered list of components of several types. */
export function ZoneField(props: FieldProps<ZoneAttribute>) {
  const id = useId();
  const index = useModel();
  const { source, name, attribute } = props;
  const isReadOnly = useFormMode().isReadOnly || attribute.writable === false;
  const items = useItems(source, attribute);
  const { length } = items.fields;
  function add(uid: string): void {
    items.insert(length, newItem(newValues(index.component(uid).attributes), uid));
  }
  return (
    <FieldFrame
      id={id}
      label={fieldLabel(props)}
      attribute={attribute}
      problem={items.problem}
      aside={<Chip size="small" label={length} />}
    >
      <ItemList
        source={source}
        label={labelOf(name, attribute)}
        items={items}
        uidOf={(item) => String(item.__component)}
        isReadOnly={isReadOnly}
      />
      {!isReadOnly && (
        <AddButton
          uids={attribute.components}
          disabled={attribute.max !== undefined && length >= attribute.max}
          onAdd={add}
        />
      )}
    </FieldFrame>
  );
}
