/** What is taken for a rename, and what is not. */
import { describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { modelsOf } from '../../../test/support/evolving-model.ts';
import { planMigration } from '../plan/plan-migration.ts';
import { printSql } from '../sql/print-sql.ts';

function plan(attributes: string, history: readonly MigrationPlan[] = [], allowed: readonly string[] = []) {
  return planSchema(`contentTypes:\n  article:\n    attributes:\n${indent(attributes)}`, history, allowed);
}

function indent(lines: string): string {
  return lines
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}

function planSchema(text: string, history: readonly MigrationPlan[] = [], allowed: readonly string[] = []) {
  const { storage, notes } = modelsOf(text);
  return planMigration({ history, target: storage, notes, allowed });
}

/** Builds schemas one after the other. */
function historyOf(...schemas: readonly string[]): readonly MigrationPlan[] {
  const history: MigrationPlan[] = [];
  for (const schema of schemas) {
    const { value, diagnostics } = plan(schema, history);
    if (!value) throw new Error(diagnostics[0]?.message ?? 'nothing to do');
    history.push(value);
  }
  return history;
}

const kinds = (value: MigrationPlan | null | undefined) => value?.changes.map(({ kind }) => kind);
const messages = ({ diagnostics }: { diagnostics: readonly { message: string; hint?: string }[] }) =>
  diagnostics.map(({ message, hint = '' }) => `${message}. ${hint}`);

const BASE = 'title: { type: string }\nbody: { type: text }';

describe('a former name', () => {
  it('is one rename, that is said with its line in the SQL of each engine', () => {
    const renamed = 'headline: { type: string, renamedFrom: title }\nbody: { type: text }';
    const [first, second] = historyOf(BASE, renamed);
    expect(second?.name).toMatch(/^0002_rename_title_to_headline_[0-9a-f]{8}$/u);
    expect(kinds(second)).toStrictEqual(['renameColumn', 'relabelColumn']);
    for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
      const { up, down } = printSql(second ?? { format: 3, name: '', changes: [] }, dialect);
      expect(up).toMatch(
        /-- article\.headline \(schema\.yaml:4\)\nALTER TABLE .articles.\n {2}RENAME COLUMN .title. TO .headline.;/u,
      );
      expect(up).toMatch(
        /-- While a server of the previous version.*\n-- - fails on "articles"\."headline", which it expects to be named "title"/u,
      );
      expect(down).toMatch(/RENAME COLUMN .headline. TO .title.;/u);
    }
    expect(
      plan(
        renamed,
        [first, second].flatMap((one) => one ?? []),
      ).value,
    ).toBeNull();
  });

  it('that was used up means nothing, also when names were exchanged', () => {
    const swap = 'title: { type: text, renamedFrom: body }\nbody: { type: string, renamedFrom: title }';
    const history = historyOf(
      'title: { type: string }\nbody: { type: text }\nn: { type: integer }',
      `${swap}\nn: { type: integer }`,
    );
    expect(plan(`${swap}\nn: { type: integer }`, history).value).toBeNull();
    // The type is renamed while the lines of the exchange still stand.
    const moved = `contentTypes:\n  story:\n    renamedFrom: article\n    attributes:\n${indent(swap)}\n      n: { type: integer }`;
    const { value } = planSchema(moved, history);
    expect(value?.renames).toStrictEqual([{ kind: 'type', from: 'article', to: 'story' }]);
    expect(kinds(value)).not.toContain('renameColumn');
    expect(planSchema(moved, [...history, ...(value ? [value] : [])]).value).toBeNull();
  });

  it('E01: exchanges names as often as it is written anew, and once while it stands', () => {
    const names = ['a', 'b', 'c'];
    const orders = [
      [0, 1, 2],
      [1, 0, 2],
      [0, 2, 1],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ];
    /** The circles of a permutation, each as text. */
    const cyclesOf = (order: readonly number[]): readonly string[] =>
      names.map((_, start) => {
        const cycle = [start];
        for (let next = order[start] ?? 0; next !== start; next = order[next] ?? 0) cycle.push(next);
        return cycle.length > 1 ? cycle.toSorted().join() + cycle.map((index) => order[index]).join() : '';
      });
    let seed = 7;
    const random = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    for (let run = 0; run < 25; run++) {
      const history: MigrationPlan[] = [];
      let values = [...names];
      let former: readonly string[] = [];
      for (let build = 0; build < 8; build++) {
        const order = build === 0 ? [0, 1, 2] : (orders[random(orders.length)] ?? []);
        const lines = names.map((name, index) => {
          const from = names[order[index] ?? 0] ?? name;
          return `${name}: { type: string${from === name ? '' : `, renamedFrom: ${from}`} }`;
        });
        const { value, diagnostics } = plan(lines.join('\n'), history);
        expect(diagnostics).toStrictEqual([]);
        const cycles = cyclesOf(order);
        const isNew = cycles.map((cycle) => cycle !== '' && !former.includes(cycle));
        const expected = values.map((own, index) => (isNew[index] ? (values[order[index] ?? 0] ?? '') : own));
        const moved = new Map(names.map((name, index) => [name, values[index] ?? '']));
        for (const change of value?.changes ?? []) {
          if (change.kind !== 'renameColumn') continue;
          moved.set(change.to, moved.get(change.from) ?? '');
          moved.delete(change.from);
        }
        values = names.map((name) => moved.get(name) ?? '');
        expect(values, `run ${run}, build ${build}: ${lines.join(' ')}`).toStrictEqual(expected);
        if (value) history.push(value);
        former = cycles;
      }
    }
  });

  it('E01: records that an exchange was taken out, in a migration of its own where there is none', () => {
    const swap = 'a: { type: string, renamedFrom: b }\nb: { type: string, renamedFrom: a }';
    const plain = 'a: { type: string }\nb: { type: string }';
    const history = historyOf(plain, swap, plain, swap);
    expect(history.map(({ name }) => name.replace(/_[0-9a-f]+$/u, ''))).toStrictEqual([
      '0001_create_article',
      '0002_rename_b_to_a_a_to_b',
      '0003_keep_names_of_a_b',
      '0004_rename_b_to_a_a_to_b',
    ]);
    expect(history[2]).toMatchObject({
      changes: [],
      takenOut: [
        { from: 'b', to: 'a' },
        { from: 'a', to: 'b' },
      ],
    });
    expect(plan(plain, history.slice(0, 3)).value).toBeNull();
  });

  it('E03: does not overwrite what has the new name, and takes no consent that could be meant for either', () => {
    const history = historyOf(BASE);
    for (const allowed of [[], ['article.title']]) {
      const { value, diagnostics } = plan('body: { type: text, renamedFrom: title }', history, allowed);
      expect(value).toBeUndefined();
      expect(diagnostics.map(({ code, message }) => [code, message])).toStrictEqual([
        ['migrations/drops-attribute', expect.stringContaining("'article.title' can't be renamed to 'article.body'")],
      ]);
      expect(diagnostics[0]?.hint).toMatch(
        /--allow-destructive article\.body\. .*--allow-destructive article\.title$/u,
      );
    }
    // Both ways that it offers.
    const [first] = history;
    const dropped = plan('title: { type: string }', history, ['article.body']).value;
    const renamed = plan(
      'body: { type: text, renamedFrom: title }',
      [first, dropped].flatMap((one) => one ?? []),
    ).value;
    expect(kinds(renamed)).toContain('renameColumn');
    expect(kinds(plan('body: { type: text }', history, ['article.title']).value)).toStrictEqual(['dropColumn']);
  });

  it('of nothing that was there means nothing', () => {
    const { value } = plan(`${BASE}\nrank: { type: integer, renamedFrom: score }`, historyOf(BASE));
    expect(kinds(value)).toStrictEqual(['addColumn']);
  });

  it('may go with another type of value', () => {
    const { value } = plan('level: { type: decimal, renamedFrom: rank }', historyOf('rank: { type: integer }'));
    expect(kinds(value)).toStrictEqual(['renameColumn', 'relabelColumn', 'alterColumn']);
  });
});

describe('something that goes while another comes', () => {
  it.each([
    [
      'an attribute',
      BASE,
      'headline: { type: string }\nbody: { type: text }',
      /'article.headline'.*add `renamedFrom: title`/u,
    ],
    [
      'a relation to one',
      'boss: { type: relation, relation: oneWay, target: article }',
      'chief: { type: relation, relation: oneWay, target: article }',
      /'article.chief'.*`renamedFrom: boss`/u,
    ],
    [
      'a relation to many',
      'parts: { type: relation, relation: manyWay, target: article }',
      'pieces: { type: relation, relation: manyWay, target: article }',
      /'article.pieces'.*`renamedFrom: parts`/u,
    ],
  ])('is shown with the line to write: %s', (_, before, after, hint) => {
    const history = historyOf(before);
    expect(messages(plan(after, history))).toStrictEqual([expect.stringMatching(hint)]);
  });

  it('is shown for types and attributes of components', () => {
    const schema = (type: string, member: string): string =>
      `contentTypes:\n  ${type}:\n    attributes:\n      title: { type: string }\n      seo: { type: component, component: shared.seo }\ncomponents:\n  shared.seo:\n    attributes:\n      ${member}: { type: string }`;
    const { value } = planSchema(schema('article', 'text'));
    const history = value ? [value] : [];
    expect(messages(planSchema(schema('story', 'text'), history))[0]).toMatch(/'story'.*`renamedFrom: article`/u);
    expect(messages(planSchema(schema('article', 'body'), history))[0]).toMatch(
      /'shared.seo.body'.*`renamedFrom: text`/u,
    );
  });

  it('is not shown where nothing new is like it', () => {
    const [text = ''] = messages(plan('body: { type: text }\nrank: { type: integer }', historyOf(BASE)));
    expect(text).toContain('SELECT count(*) FROM "articles" WHERE "title" IS NOT NULL');
    expect(text).not.toContain('renamedFrom');
  });
});

it('E13: says which entries are shared, and how to leave each to one, where a relation becomes one to one', () => {
  const related = (kind: string): string =>
    `boss: { type: relation, relation: ${kind}, target: article, inversedBy: staff }\nstaff: { type: relation, relation: ${kind === 'oneToOne' ? kind : 'oneToMany'}, target: article, mappedBy: boss }`;
  const [text = ''] = messages(plan(related('oneToOne'), historyOf(related('manyToOne')))).filter((one) =>
    one.includes('becomes a one-to-one relation'),
  );
  expect(text).toContain(
    'SELECT "boss_id", count(*) FROM "articles" WHERE "boss_id" IS NOT NULL GROUP BY "boss_id" HAVING',
  );
  expect(text).toContain('UPDATE "articles" SET "boss_id" = NULL WHERE "boss_id" IS NOT NULL AND "id" NOT IN (SELECT');
});

describe('places', () => {
  it('are those of the schema: of what changes, or of the type that had it', () => {
    const [first] = historyOf(BASE);
    const { diagnostics } = plan('title: { type: integer }', first ? [first] : []);
    expect(diagnostics.map(({ location }) => [location?.file, location?.line])).toStrictEqual([
      ['schema.yaml', 4],
      ['schema.yaml', 2],
    ]);
  });
});
