/** What relations lose that are stored in another way. */
import { describe, expect, it } from 'vitest';
import { modelsOf } from '../../../test/support/evolving-model.ts';
import { nextPlan } from '../../../test/support/written-migrations.ts';
import { planMigration } from '../plan/plan-migration.ts';

const schema = (article: string, author: string): string => `contentTypes:
  article: { attributes: { title: { type: string }, ${article} } }
  author: { attributes: { name: { type: string }, ${author} } }`;
const relation = (name: string, kind: string, target: string, rest = ''): string =>
  `${name}: { type: relation, relation: ${kind}, target: ${target} ${rest} }`;

const MANY_TO_ONE = schema(
  relation('authors', 'manyToOne', 'author', ', inversedBy: articles'),
  relation('articles', 'oneToMany', 'article', ', mappedBy: authors'),
);
const OWNED = schema(
  relation('authors', 'manyToMany', 'author', ', inversedBy: articles'),
  relation('articles', 'manyToMany', 'article', ', mappedBy: authors'),
);
const MAPPED = schema(
  relation('authors', 'manyToMany', 'author', ', mappedBy: articles'),
  relation('articles', 'manyToMany', 'article', ', inversedBy: authors'),
);

describe('a relation with two sides, of which one goes', () => {
  it.each([
    ['manyToOne to manyWay', MANY_TO_ONE, schema(relation('authors', 'manyWay', 'author'), ''), 'author.articles'],
    [
      'manyToOne to manyToMany',
      MANY_TO_ONE,
      schema(relation('authors', 'manyToMany', 'author'), ''),
      'author.articles',
    ],
    ['the owner of manyToMany goes', OWNED, schema('', relation('articles', 'manyWay', 'article')), 'article.authors'],
    [
      'the other side becomes the owner',
      MAPPED,
      schema(relation('authors', 'manyWay', 'author'), ''),
      'author.articles',
    ],
  ])('asks for the order of its list: %s', (_, before, after, thing) => {
    const history = [nextPlan(modelsOf(before), [], [])];
    const { storage, notes } = modelsOf(after);
    const { value, diagnostics } = planMigration({ history, target: storage, notes });
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toStrictEqual([
      ['migrations/drops-order', `Restore the attribute. To delete the order, pass --allow-destructive ${thing}`],
    ]);
    expect(planMigration({ history, target: storage, notes, allowed: [thing] }).diagnostics).toStrictEqual([]);
  });

  it('asks for nothing where both lists stay', () => {
    for (const [before, after] of [
      [MANY_TO_ONE, OWNED],
      [MANY_TO_ONE, MAPPED],
      [OWNED, MAPPED],
    ] as const) {
      const { storage, notes } = modelsOf(after);
      const history = [nextPlan(modelsOf(before), [], [])];
      expect(planMigration({ history, target: storage, notes }).diagnostics).toStrictEqual([]);
    }
  });
});
