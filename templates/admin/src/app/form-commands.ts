/** What the form on the screen offers to the keyboard and to the palette. */
import { type RefObject, useEffect, useRef } from 'react';

export interface FormCommand {
  readonly label: string;
  readonly run: () => void;
}

export interface FormCommands {
  /** What Ctrl+S does. */
  readonly save: () => void;
  readonly commands: readonly FormCommand[];
}

interface Offer {
  readonly node: RefObject<Element | null>;
  readonly latest: RefObject<FormCommands>;
}

/** The forms on the screen: that of the page, and above it those in drawers. */
const offers = new Set<Offer>();

/** Whether nothing modal, such as a dialog, is above a node: Material UI hides what is below from assistive technology. */
function isReachable(node: Element | null): boolean {
  return node !== null && node.closest('[aria-hidden="true"]') === null;
}

/** The commands of the form that the user works in; undefined if there is none, or if a dialog is above it. */
export function reachableCommands(): FormCommands | undefined {
  return [...offers].findLast(({ node }) => isReachable(node.current))?.latest.current;
}

/** Offers the commands of a form. Returns a ref for an element within the form. */
export function useFormCommands(commands: FormCommands): RefObject<HTMLSpanElement | null> {
  const node = useRef<HTMLSpanElement>(null);
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const offer = { node, latest };
    offers.add(offer);
    return () => {
      offers.delete(offer);
    };
  }, []);
  return node;
}
