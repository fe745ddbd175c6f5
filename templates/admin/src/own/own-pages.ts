/** The team's own pages and buttons that the role may use. */
import type { EntryButton, ListButton, PanelPage, PanelPermission } from '../../../runtime/src/contract/panel-part.ts';
import { useMay } from '../app/session.ts';
import { useOwnPart } from './own-part.ts';

/** Whether the role has the permission that a page or button asks for. */
function useMayUse(): (part: { readonly permission?: PanelPermission }) => boolean {
  const may = useMay();
  return ({ permission }) => {
    if (permission === undefined) return true;
    const [subject = '', action = ''] = permission.split('.');
    return may(subject, action);
  };
}

/** Below it are the pages of the team. No type has this path. */
export const OWN_PAGES = '/-';

export function useOwnPages(): readonly PanelPage[] {
  const { pages = [] } = useOwnPart().panel;
  return pages.filter(useMayUse());
}

type Button<Place> = Extract<EntryButton | ListButton, { readonly place: Place }>;

export function useOwnButtons<Place extends 'entry' | 'list'>(place: Place, type: string): readonly Button<Place>[] {
  const { buttons = [] } = useOwnPart().panel;
  const mayUse = useMayUse();
  return buttons.filter(
    (button): button is Button<Place> =>
      button.place === place && (button.types?.includes(type) ?? true) && mayUse(button),
  );
}
