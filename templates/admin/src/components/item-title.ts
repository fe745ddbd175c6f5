import { useWatch } from 'react-hook-form';
import type { Component } from '../model/model.ts';

/** The attribute that identifies an item to users: the first text attribute. */
function titleField({ attributes }: Component): string | undefined {
  return Object.entries(attributes).find(([, { type }]) =>
    ['string', 'text', 'enumeration', 'richtext'].includes(type),
  )?.[0];
}

const MAX_CHARACTERS = 80;

/** The title of an item, updated as the user types; empty without a text attribute. */
export function useItemTitle(source: string, component: Component): string {
  const field = titleField(component);
  const value: unknown = useWatch({ name: `${source}.${field ?? 'id'}` });
  return field !== undefined && typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : '';
}
