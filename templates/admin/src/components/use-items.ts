/** The items of a form's field array and their expanded state. */
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { useFormMode } from '../fields/form-mode.ts';
import { useRevealedItem } from '../fields/reveal.ts';
import { brokenRule } from '../fields/rules.ts';
import { type ErrorAt, useError } from '../fields/use-error.ts';
import type { ComponentAttribute, ZoneAttribute } from '../model/model.ts';
import type { ItemValues } from '../rest/form-values.ts';

export type ItemField = ItemValues & { readonly _key: string };

export interface Items {
  readonly fields: readonly ItemField[];
  readonly problem: string | undefined;
  /** The current form values of an item. */
  readonly valueAt: (index: number) => ItemValues;
  readonly insert: (index: number, item: ItemValues) => void;
  readonly move: (from: number, to: number) => void;
  readonly remove: (index: number) => void;
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
  /** Expands all items or, if one is expanded, collapses all. */
  readonly toggleAll: () => void;
  readonly isAnyOpen: boolean;
}

/** The collapsed items among those of the last render. */
interface Folding {
  /** Item keys, in order. */
  readonly known: readonly string[];
  readonly folded: ReadonlySet<string>;
}

function keysOf(fields: readonly ItemField[]): readonly string[] {
  return fields.map(({ _key }) => _key);
}

/** Initially, items are collapsed if there are several. Items added later are expanded. */
function foldingOf(fields: readonly ItemField[]): Folding {
  const known = keysOf(fields);
  return { known, folded: new Set(known.length > 1 ? known : []) };
}

/**
 * The state after the items have changed. A form reset (after mounting and after each save) gives all items new keys; the
 * collapsed state is then carried over by position.
 */
function nextFolding({ known, folded }: Folding, fields: readonly ItemField[]): Folding {
  const keys = keysOf(fields);
  if (keys.length === 0 || keys.some((key) => known.includes(key))) return { known: keys, folded };
  if (keys.length !== known.length) return foldingOf(fields);
  return { known: keys, folded: new Set(keys.filter((_, index) => folded.has(known[index] ?? ''))) };
}

function without(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set([...keys].filter((other) => other !== key));
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return keys.has(key) ? without(keys, key) : new Set([...keys, key]);
}

function messageOf(error: ErrorAt): string | undefined {
  return error?.root?.message ?? error?.message;
}

export function useItems(source: string, attribute: ComponentAttribute | ZoneAttribute): Items {
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
  const [before, setFolding] = useState<Folding>(() => foldingOf(fields));
  const isSame = before.known.length === fields.length && fields.every(({ _key }, at) => _key === before.known[at]);
  const folding = isSame ? before : nextFolding(before, fields);
  if (!isSame) setFolding(folding);
  const revealed = useRevealedItem(source);
  useEffect(() => {
    const at = Number(revealed?.path.slice(source.length + 1).split('.')[0]);
    const key = fields[at]?._key;
    if (key !== undefined) setFolding((latest) => ({ ...latest, folded: without(latest.folded, key) }));
  }, [revealed]);
  const problem = useError(source, messageOf);
  const isAnyOpen = fields.some(({ _key }) => !folding.folded.has(_key));
  return {
    fields,
    problem,
    valueAt: (index) => getValues(`${source}.${index}`) as ItemValues,
    insert: (index, item) => insert(index, item, { shouldFocus: false }),
    move,
    remove: (index) => remove(index),
    isOpen: (key) => !folding.folded.has(key),
    toggle: (key) => setFolding((latest) => ({ ...latest, folded: toggled(latest.folded, key) })),
    toggleAll: () => setFolding((latest) => ({ ...latest, folded: new Set(isAnyOpen ? latest.known : []) })),
    isAnyOpen,
  };
}
