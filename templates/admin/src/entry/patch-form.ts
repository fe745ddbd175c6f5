/** Changes the values of a form without a reset: fields keep their focus, and items their state. */
import type { UseFormReturn } from 'react-hook-form';
import type { Attribute, Attributes } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { FormValues, ItemValues } from '../rest/form-values.ts';
import { isSame } from '../rest/same-value.ts';

type Form = Pick<UseFormReturn, 'getValues' | 'setValue'>;

function isItem(value: unknown): value is ItemValues {
  return typeof value === 'object' && value !== null;
}

function patchValue(form: Form, path: string, attribute: Attribute, target: unknown, index: ModelIndex): void {
  const current: unknown = form.getValues(path);
  if ((current === undefined) === (target === undefined) && isSame(current, target)) return;
  const patchItem = (itemPath: string, item: ItemValues): void => {
    const uid = attribute.type === 'component' ? attribute.component : String(item.__component);
    patchForm(form, index.component(uid).attributes, item, index, `${itemPath}.`);
    // What remains is the id of a new item.
    if (!isSame(form.getValues(itemPath), item)) form.setValue(itemPath, item);
  };
  if (attribute.type === 'component' || attribute.type === 'dynamiczone') {
    if (Array.isArray(target) && Array.isArray(current) && current.length === target.length) {
      for (const [at, item] of target.entries()) patchItem(`${path}.${at}`, item as ItemValues);
      return;
    }
    if (!Array.isArray(target) && isItem(target) && isItem(current)) return patchItem(path, target);
  }
  form.setValue(path, target);
}

/** Sets the values that differ from `target`, each at its own path. */
export function patchForm(
  form: Form,
  attributes: Attributes,
  target: FormValues,
  index: ModelIndex,
  prefix = '',
): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    patchValue(form, `${prefix}${name}`, attribute, target[name], index);
  }
}
