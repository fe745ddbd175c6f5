/** Settings shared by all fields of a form. */
import { createContext, useContext } from 'react';

export interface FormMode {
  /** The role may not change the entry. */
  readonly isReadOnly: boolean;
  /** Required values may be missing in drafts. */
  readonly isDraft: boolean;
  /** Whether the form is that of a new entry. */
  readonly isNew?: boolean;
  /** The locale of the entry, if its type is localized. */
  readonly locale?: string | undefined;
}

const FormModeContext = createContext<FormMode>({ isReadOnly: false, isDraft: false });

export const FormModeProvider = FormModeContext.Provider;

export function useFormMode(): FormMode {
  return useContext(FormModeContext);
}
