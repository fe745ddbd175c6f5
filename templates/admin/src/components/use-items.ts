/** The items of a form's array, and which of them are unfolded. */
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { type FieldError, get, useFieldArray, useFormContext, useFormState } from 'react-hook-form';
import { useFormMode } from '../fields/form-mode.ts';
import { brokenRule } from '../fields/rules.ts';
import type { Attribute } from '../model/model.ts';
import type { ItemValues } from '../rest/form-values.ts';

export type ItemField = ItemValues & { readonly _key: string };

export interface Items {
  readonly fields: readonly ItemField[];
  readonly problem: string | undefined;
  /** The item as it is typed by now. */
  readonly valueAt: (index: number) => ItemValues;
  readonly insert: (index: number, item: ItemValues) => void;
  readonly move: (from: number, to: number) => void;
  readonly remove: (index: number) => void;
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

export function useItems(source: string, attribute: Attribute): Items {
  const translate = useTranslate();
  const { isDraft } = useFormMode();
  const { getValues } = useFormContext();
  const { fields, insert, move, remove } = useFieldArray<Record<string, ItemValues[]>, string, '_key'>({
    name: source,
    keyName: '_key',
    rules: {
      validate: (items: unknown) => {
        const broken = brokenRule(items, attribute, isDraft);
        return broken ? translate(broken.message, broken.args) : true;
      },
    },
  });
  // The first items are folded where there are several; what is added is not.
  const [folded, setFolded] = useState<ReadonlySet<string>>(
    () => new Set(fields.length > 1 ? fields.map(({ _key }) => _key) : []),
  );
  // The errors of this field alone: what reads the state of the form is drawn anew at each key, with all that is in the form.
  const { errors } = useFormState({ name: source });
  const error: FieldError | undefined = get(errors, source);
  return {
    fields: fields,
    problem: error?.root?.message ?? error?.message,
    valueAt: (index) => getValues(`${source}.${index}`) as ItemValues,
    insert: (index, item) => insert(index, item, { shouldFocus: false }),
    move,
    remove: (index) => remove(index),
    isOpen: (key) => !folded.has(key),
    toggle: (key) =>
      setFolded((keys) => {
        const others = [...keys].filter((other) => other !== key);
        return new Set(keys.has(key) ? others : [...others, key]);
      }),
  };
}
