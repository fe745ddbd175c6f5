/** The attributes that the form of an entry has fields for. */
import { useMemo } from 'react';
import { CREATOR_FIELDS } from '../../../runtime/src/contract/creator-fields.ts';
import { useMay } from '../app/session.ts';
import type { Attributes } from '../model/model.ts';
import type { EntryTarget } from './entry-target.ts';

/**
 * In a new locale, attributes that are not localized are left out: their values are shared with the other locales. So are those of a
 * new entry that a rule lets only the server write; of an existing one, they are read-only. Nobody has written a new entry yet.
 */
export function useShownAttributes({ type, otherLocaleOf }: EntryTarget, isNew: boolean): Attributes {
  const may = useMay();
  const { uid, kind } = type;
  const wanted = isNew && kind !== 'single' ? 'create' : 'update';
  const action = !may(uid, wanted) && may(uid, 'draft') ? 'draft' : wanted;
  return useMemo(() => {
    const shown = Object.entries(type.attributes).flatMap(([name, attribute]) => {
      if (otherLocaleOf !== undefined && attribute.localized === false) return [];
      if (isNew && CREATOR_FIELDS.has(name)) return [];
      if (attribute.refusedIn?.includes(action) !== true) return [[name, attribute] as const];
      return isNew ? [] : [[name, { ...attribute, writable: false } as const] as const];
    });
    return Object.fromEntries(shown);
  }, [type, otherLocaleOf, action, isNew]);
}
