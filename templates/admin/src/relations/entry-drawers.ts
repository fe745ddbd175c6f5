/** Drawers with the forms of related entries. A drawer has relation fields in turn, so they get it from the page, by a context. */
import { type ComponentType, createContext, type RefObject, useContext } from 'react';
import type { ContentType } from '../model/model.ts';
import type { EntryRef } from './entry-ref.ts';

export interface DrawerProps {
  readonly type: ContentType;
  /** Absent for a new entry. */
  readonly id?: number | undefined;
  /** What a new entry is called. */
  readonly title?: string | undefined;
  /** The locale of a new entry. */
  readonly locale?: string | undefined;
  readonly onCreated: (entry: EntryRef) => void;
  readonly onChanged: (entry: EntryRef) => void;
  readonly onClose: () => void;
}

const DrawerContext = createContext<ComponentType<DrawerProps> | undefined>(undefined);

export const EntryDrawerProvider = DrawerContext.Provider;

/** Undefined where entries are opened in no drawers, such as in filters. */
export function useEntryDrawerComponent(): ComponentType<DrawerProps> | undefined {
  return useContext(DrawerContext);
}

/** What the form in a drawer tells it. */
export interface DrawnForm {
  readonly isBusyNow: () => boolean;
  readonly isDirtyNow: () => boolean;
}

const FrameContext = createContext<RefObject<DrawnForm | null> | undefined>(undefined);

export const DrawerFrameProvider = FrameContext.Provider;

/** The drawer that a form is in; undefined for the form of the page. */
export function useDrawerFrame(): RefObject<DrawnForm | null> | undefined {
  return useContext(FrameContext);
}
