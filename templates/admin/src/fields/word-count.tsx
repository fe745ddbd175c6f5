import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { countWords } from './count-words.ts';

/** How long counting waits for the next key, in milliseconds. */
const PAUSE = 300;

/** How many words a text has. `textOf` is called after a pause in typing: long documents take a while. */
export function WordCount({ value, textOf }: { readonly value: unknown; readonly textOf: (value: unknown) => string }) {
  const translate = useTranslate();
  const [count, setCount] = useState(() => countWords(textOf(value)));
  useEffect(() => {
    const timer = setTimeout(() => setCount(countWords(textOf(value))), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return count > 0 ? translate('wide.words', { smart_count: count }) : null;
}
