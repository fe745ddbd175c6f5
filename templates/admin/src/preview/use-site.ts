/** The connection to the site in the frame: it gets the values of the form, and says which text was clicked. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { entrySource } from '../../../runtime/src/contract/source-marks.ts';
import type { LoadedEntry } from '../entry/load-entry.ts';
import { useReveal } from '../fields/reveal.ts';
import { useMay } from '../app/session.ts';
import type { ContentType } from '../model/model.ts';
import { type ModelIndex, useModel } from '../model/model-context.tsx';
import type { FormValues } from '../rest/form-values.ts';
import { apiEntry } from './api-entry.ts';
import { markAt, parseMark, pathOf } from './mark-path.ts';
import { type FromPanel, type FromSite, type PreviewFormat, PROTOCOL } from './messages.ts';

/** How soon the site gets what is typed, in milliseconds. */
const DELAY = 120;
/** How long a field that a click in the site has led to does not move the site, in milliseconds. */
const STILL = 1500;

export interface Previewed {
  readonly type: ContentType;
  readonly entry: LoadedEntry;
  readonly documentId: string | undefined;
  /** Called with an entry whose text was clicked, if it is another one. */
  readonly onElsewhere: (type: ContentType, id: number) => void;
}

type Message<T> = T extends unknown ? Omit<T, 'contentPreview'> : never;

/** Whether the user gets marks of a type: who sees its drafts or, if it has none, those of any type. As the server decides. */
function useIsMarked({ draftAndPublish, uid }: ContentType): boolean {
  const may = useMay();
  const { types } = useModel().model;
  if (draftAndPublish) return may(uid, 'preview');
  return types.some((type) => type.draftAndPublish && may(type.uid, 'preview'));
}

interface ValuesParts {
  readonly previewed: Previewed;
  readonly values: FormValues;
  readonly isSaved: boolean;
  readonly format: PreviewFormat;
  readonly isMarked: boolean;
  readonly index: ModelIndex;
}

function valuesMessage({ previewed, values, isSaved, format, isMarked, index }: ValuesParts): Message<FromPanel> {
  const { type, entry, documentId } = previewed;
  const { id, values: saved, locale, createdAt, updatedAt, publishedAt } = entry;
  const facts = {
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(locale !== undefined && { locale }),
  };
  const shown = apiEntry({ type, id, documentId, values, saved, facts }, { index, format, isMarked });
  return { kind: 'values', isSaved, uid: type.uid, id, documentId, locale, entry: shown };
}

/** The path of the field that has the focus, if it is one of the form and not of a drawer above it. */
function focusedPath(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element) || target.closest('[role="dialog"], [role="presentation"]')) return undefined;
  return target.closest<HTMLElement>('[data-field]')?.dataset['field'];
}

/** Returns whether the site has answered since it was loaded. `origin` is that of the site: nobody else gets or says anything. */
export function useSite(frame: RefObject<HTMLIFrameElement | null>, origin: string, previewed: Previewed): boolean {
  const form = useFormContext<FormValues>();
  const index = useModel();
  const reveal = useReveal();
  const isMarked = useIsMarked(previewed.type);
  const [isConnected, setIsConnected] = useState(false);
  const format = useRef<PreviewFormat | undefined>(undefined);
  const stillUntil = useRef(0);
  const latest = useRef(previewed);
  latest.current = previewed;

  function post(message: Message<FromPanel>): void {
    frame.current?.contentWindow?.postMessage({ contentPreview: PROTOCOL, ...message }, origin);
  }
  function postValues(isSaved: boolean): void {
    const values = isSaved ? latest.current.entry.values : form.getValues();
    const known = format.current ?? index.model.format;
    post(valuesMessage({ previewed: latest.current, values, isSaved, format: known, isMarked, index }));
  }
  function focus(text: string): void {
    const mark = parseMark(text);
    if (!mark) return;
    const { type, entry, onElsewhere } = latest.current;
    if (mark.uid !== type.uid || Number(mark.id) !== entry.id) {
      const other = index.type(mark.uid);
      if (other && index.pages.includes(other)) onElsewhere(other, Number(mark.id));
      return;
    }
    const path = pathOf(mark, form.getValues());
    if (path === undefined) return;
    stillUntil.current = Date.now() + STILL;
    globalThis.window.focus();
    reveal.show(path);
  }
  const receive = useRef<(message: FromSite) => void>(undefined);
  receive.current = (message) => {
    if (message.kind === 'focus') return focus(message.mark);
    if (message.kind !== 'ready') return;
    format.current = message.format === 'v4' || message.format === 'v5' ? message.format : undefined;
    setIsConnected(true);
    postValues(true);
    postValues(false);
  };

  useEffect(() => {
    const onMessage = (event: MessageEvent<FromSite | null>): void => {
      const isSite = event.source !== null && event.source === frame.current?.contentWindow && event.origin === origin;
      if (isSite && event.data?.contentPreview === PROTOCOL) receive.current?.(event.data);
    };
    const onFocus = ({ target }: FocusEvent): void => {
      const path = focusedPath(target);
      if (path === undefined || !isMarked || Date.now() < stillUntil.current) return;
      const { type, entry } = latest.current;
      const mark = markAt(entrySource(type.uid, entry.id), path, form.getValues());
      if (mark !== undefined) post({ kind: 'show', mark });
    };
    addEventListener('message', onMessage);
    document.addEventListener('focusin', onFocus);
    return () => {
      removeEventListener('message', onMessage);
      document.removeEventListener('focusin', onFocus);
    };
  }, [origin, isMarked]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { unsubscribe } = form.watch(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        postValues(false);
      }, DELAY);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [form, origin, isMarked]);

  const stored = useRef(previewed.entry);
  useEffect(() => {
    if (stored.current === previewed.entry) return;
    stored.current = previewed.entry;
    post({ kind: 'saved' });
    postValues(true);
    postValues(false);
  }, [previewed.entry]);
  return isConnected;
}
