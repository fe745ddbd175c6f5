import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
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
import { ItemsAside } from './items-aside.tsx';
import { useItems } from './use-items.ts';

/** Where a component is inserted, and the button that the menu of components opens at. */
interface Place {
  readonly at: number;
  readonly anchor: HTMLElement;
}

interface KindMenuProps {
  readonly uids: readonly string[];
  readonly place: Place | undefined;
  readonly onChoose: (uid: string) => void;
  readonly onClose: () => void;
}

/** The components that a zone can have. */
function KindMenu({ uids, place, onChoose, onClose }: KindMenuProps) {
  const index = useModel();
  return (
    <Menu anchorEl={place?.anchor ?? null} open={place !== undefined} onClose={onClose}>
      {uids.map((uid) => (
        <MenuItem key={uid} onClick={() => onChoose(uid)}>
          {index.component(uid).displayName}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** A dynamic zone: an ordered list of components of several types. */
export function ZoneField(props: FieldProps<ZoneAttribute>) {
  const translate = useTranslate();
  const id = useId();
  const index = useModel();
  const { source, name, attribute } = props;
  const isReadOnly = useFormMode().isReadOnly || attribute.writable === false;
  const items = useItems(source, attribute);
  const { length } = items.fields;
  const isFull = attribute.max !== undefined && length >= attribute.max;
  const [place, setPlace] = useState<Place>();
  function insert(uid: string): void {
    if (place) items.insert(place.at, newItem(newValues(index.component(uid).attributes), uid));
    setPlace(undefined);
  }
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
        uidOf={(item) => String(item.__component)}
        isReadOnly={isReadOnly}
        isFull={isFull}
        onInsert={(at, anchor) => setPlace({ at, anchor })}
      />
      {!isReadOnly && (
        <Button
          startIcon={<AddIcon />}
          aria-haspopup="menu"
          disabled={isFull}
          onClick={(event) => setPlace({ at: length, anchor: event.currentTarget })}
          sx={{ mt: 1 }}
        >
          {translate('item.addOne')}
        </Button>
      )}
      <KindMenu uids={attribute.components} place={place} onChoose={insert} onClose={() => setPlace(undefined)} />
    </FieldFrame>
  );
}
