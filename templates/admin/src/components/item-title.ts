import { useWatch } from 'react-hook-form';
import type { Component } from '../model/model.ts';

/** The attribute by which an item is told from others: its first text. */
function titleField({ attributes }: Component): string | undefined {
  return Object.entries(attributes).find(([, { type }]) =>
    ['string', 'text', 'enumeration', 'richtext'].includes(type),
  )?.[0];
}

const MOST_CHARACTERS = 80;

/** What the head of an item says, as somebody types it. */
export function useItemTitle(source: string, component: Component): string {
  const field = titleField(component);
  const value: unknown = useWatch({ name: `${source}.${field ?? 'id'}` });
  return field !== undefined && typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : '';
}
