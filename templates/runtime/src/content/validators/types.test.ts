import { expect, expectTypeOf, test } from 'vitest';
import type { EntryId, RelationInput } from '../../contract/entry.ts';
import type { Exact } from './exact.ts';
import { type EntryValidators, v } from './index.ts';

type Create<V> = V extends EntryValidators<infer Input> ? Input : never;
type Update<V> = V extends EntryValidators<unknown, infer Input> ? Input : never;

interface SeoInput {
  readonly id?: EntryId;
  readonly metaTitle?: string;
  readonly image?: RelationInput;
}

const seo = v.attributes<SeoInput>()({ metaTitle: v.string({ required: true }), image: v.media() });

const quote = v.attributes({ text: v.text() });

const attributes = {
  title: v.string({ required: true, maxLength: 120 }),
  slug: v.uid({ targetField: 'title', required: true }),
  rating: v.decimal({ min: 0, max: 5, default: 0 }),
  views: v.integer({ required: true, default: 0 }),
  status: v.enumeration(['idea', 'ready'], { default: 'idea' }),
  opens: v.time(),
  soldAt: v.datetime(),
  free: v.boolean(),
  extra: v.json(),
  body: v.blocks(),
  author: v.relation({ targets: ['author'], required: true }),
  seo: v.component(() => seo, { required: true }),
  links: v.component(quote, { repeatable: true, max: 3 }),
  zone: v.dynamicZone({ 'shared.seo': seo, 'blocks.quote': () => quote }),
};

interface ArticleUpdate {
  readonly title?: string;
  readonly slug?: string;
  readonly rating?: number | string | null;
  readonly views?: number;
  readonly status?: 'idea' | 'ready' | null;
  readonly opens?: string | null;
  readonly soldAt?: number | string | null;
  readonly free?: boolean | null;
  readonly extra?: unknown;
  readonly body?: readonly unknown[] | null;
  readonly author?: RelationInput;
  readonly seo?: SeoInput;
  readonly links?: readonly { readonly id?: EntryId; readonly text?: string | null }[] | null;
  readonly zone?:
    | readonly (
        | ({ readonly __component: 'shared.seo' } & SeoInput)
        | ({ readonly __component: 'blocks.quote' } & { readonly id?: EntryId; readonly text?: string | null })
      )[]
    | null;
}

interface ArticleCreate extends ArticleUpdate {
  readonly title: string;
  readonly author: RelationInput;
  readonly seo: SeoInput;
}

const plain = { unknownAttributes: 'reject', draftAndPublish: false, localized: false } as const;

test('the inferred input types are the expected ones', () => {
  const validators = v.entry<ArticleCreate, ArticleUpdate>()(attributes, plain);
  expectTypeOf<Create<typeof validators>>().toEqualTypeOf<ArticleCreate>();
  expectTypeOf<Update<typeof validators>>().toEqualTypeOf<ArticleUpdate>();
  const erased: EntryValidators = validators;
  const inferred = v.entry(attributes, plain);
  expectTypeOf<Exact<Create<typeof inferred>, ArticleCreate>>().toEqualTypeOf<true>();
  expectTypeOf<Exact<Update<typeof inferred>, ArticleUpdate>>().toEqualTypeOf<true>();
  expect(erased.check('create', {}).issues.map(({ path }) => path)).toEqual([['title'], ['author'], ['seo']]);
});

test('drafts may lack everything, publication and locale can be set', () => {
  interface StoryUpdate {
    readonly title?: string | null;
    readonly publishedAt?: string | number | null;
  }
  interface StoryCreate extends StoryUpdate {
    readonly locale?: string;
  }
  const fields = { title: v.string({ required: true }) };
  const validators = v.entry<StoryCreate, StoryUpdate>()(fields, {
    unknownAttributes: 'ignore',
    draftAndPublish: true,
    localized: true,
  });
  expectTypeOf<Create<typeof validators>['title']>().toEqualTypeOf<string | null | undefined>();
  expect(validators.check('createDraft', {})).toEqual({ values: {}, issues: [] });
});

test('types that do not agree do not compile', () => {
  const fields = { title: v.string({ required: true }), text: v.text() };
  // @ts-expect-error `text` can be null
  v.entry<{ title: string; text?: string }, { title?: string; text?: string | null }>()(fields, plain);
  // @ts-expect-error `title` is required
  v.entry<{ title?: string; text?: string | null }, { title?: string; text?: string | null }>()(fields, plain);
  // @ts-expect-error `text` is missing
  v.entry<{ title: string }, { title?: string; text?: string | null }>()(fields, plain);
  // @ts-expect-error there is no `more`
  v.attributes<{ id?: EntryId; text?: string | null; more?: string }>()({ text: v.text() });
  // @ts-expect-error the default is none of the values
  expect(() => v.enumeration(['a', 'b'], { default: 'c' })).toThrow(TypeError);
  // @ts-expect-error a date is no number
  expect(() => v.date({ default: 20_200_102 })).toThrow(TypeError);
  expectTypeOf<Exact<{ a?: string }, { a?: string; b?: string }>>().toEqualTypeOf<false>();
  expectTypeOf<Exact<{ readonly a: string }, { a: string }>>().toEqualTypeOf<true>();
});
