/** Types of responses; `npm run check:types` compares them. */
import { expectTypeOf, test } from 'vitest';
import type { Entry } from '../../contract/entry.ts';
import type { Answer } from './selection-types.ts';

interface Topic {
  readonly name: string;
}

interface Article {
  readonly title: string;
  readonly locale: string;
}

test('sparse entries have `meta` if their type is localized', () => {
  type Only<T, N> = Answer<T, readonly [N], undefined, 'sparse'>;
  expectTypeOf<Only<Article, 'title'>>().toEqualTypeOf<Entry<{ readonly title: string }>>();
  expectTypeOf<Only<Topic, 'name'>>().toEqualTypeOf<Omit<Entry<{ readonly name: string }>, 'meta'>>();
});
