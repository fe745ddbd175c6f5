/** The fields of a component, for the fields that show components: these are fields themselves, and so can't import them. */
import { type ComponentType, createContext, useContext } from 'react';
import type { Attributes } from '../model/model.ts';

export interface FieldsProps {
  readonly attributes: Attributes;
  /** Path of the component that has them, with a trailing dot; empty for an entry. */
  readonly prefix?: string;
}

const NestedFields = createContext<ComponentType<FieldsProps> | undefined>(undefined);

export const NestedFieldsProvider = NestedFields.Provider;

export function useNestedFields(): ComponentType<FieldsProps> {
  const Fields = useContext(NestedFields);
  if (!Fields) throw new Error('useNestedFields is called outside of AttributeFields');
  return Fields;
}
