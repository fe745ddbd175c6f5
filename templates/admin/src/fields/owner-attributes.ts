/** The attributes among which a field is shown, for fields that depend on another one. */
import { createContext, useContext } from 'react';
import type { Attributes } from '../model/model.ts';

const OwnerAttributes = createContext<Attributes>({});

export const OwnerAttributesProvider = OwnerAttributes.Provider;

/** The attributes of the entry or component item that the surrounding field belongs to. */
export function useOwnerAttributes(): Attributes {
  return useContext(OwnerAttributes);
}
