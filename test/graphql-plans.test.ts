/**
 * Plans of GraphQL documents that are remembered: whoever asked before, and with whatever variables, an answer is the one that the same
 * document gets when it is new to the server.
 */
import fc from 'fast-check';
import { Kind, parse } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlans, type Plan } from '../templates/runtime/src/features/graphql/plans.ts';
import { createServerSchema } from '../templates/runtime/src/features/graphql/server-schema.ts';
import type { SelectionScope } from '../templates/runtime/src/features/graphql/selection.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: plans
databases: [sqlite]
api: { format: v5 }
graphql: true
contentTypes:
  article:
    attributes:
      title: { type: string }
      rank: { type: integer }
      secret: { type: string }
      owner: { type: relation, relation: manyToOne, target: user, inversedBy: articles }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      tags: { type: relation, relation: manyToMany, target: tag }
      parts: { type: component, component: shared.part, repeatable: true }
      blocks: { type: dynamiczone, components: [shared.part, shared.quote] }
  author:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  tag: { attributes: { name: { type: string }, rank: { type: integer } } }
components:
  shared.part: { attributes: { name: { type: string }, tags: { type: relation, relation: manyWay, target: tag } } }
  shared.quote: { attributes: { text: { type: string } } }
users:
  attributes:
    articles: { type: relation, relation: oneToMany, target: article, mappedBy: owner }
permissions:
  public:
    article:
      - find: { where: { rank: { $lt: 4 } }, except: [secret] }
      - findOne: { where: { rank: { $lt: 4 } }, except: [secret] }
    author: [find, findOne]
  authenticated:
    article:
      - find: { where: { owner: $user } }
      - findOne: { where: { owner: $user } }
      - update: { where: { owner: $user }, only: [title] }
    tag: [{ find: { where: { rank: { $gt: 1 } } } }]
`;

let project: TestProject;
let server: TestServer;
let ids: readonly string[];
/** Undefined, or a token: two with the same permissions and different rules, and two with permissions of their own. */
let callers: readonly (string | undefined)[];

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start();
  const database = await project.open();
  const full = await createToken(database, { kind: 'full-access' });
  const narrow = await createToken(database, { kind: 'custom', permissions: ['article.find', 'tag.find'] });
  await database.close();
  const add = async (path: string, data: object): Promise<string> => {
    const { body, status } = await server.send('POST', `/api/${path}`, { body: { data }, token: full });
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body.data.documentId;
  };
  const [ann, bob] = [await server.register('ann'), await server.register('bob')];
  const tags: string[] = [];
  for (const rank of [1, 2, 3]) tags.push(await add('tags', { name: `tag ${rank}`, rank }));
  const authors = [await add('authors', { name: 'Cay' }), await add('authors', { name: 'Dan' })];
  const made: string[] = [];
  for (let rank = 0; rank < 6; rank += 1) {
    made.push(
      await add('articles', {
        ...{ title: `article ${rank}`, rank, secret: `secret ${rank}` },
        owner: { set: [(rank % 2 === 0 ? ann : bob).id] },
        author: authors[rank % 3] ?? null,
        tags: tags.slice(rank % 3),
        parts: [{ name: `part ${rank}`, tags }],
        blocks: [
          { __component: 'shared.quote', text: 'said' },
          { __component: 'shared.part', name: `block ${rank}`, tags: tags.slice(1) },
        ],
      }),
    );
  }
  ids = made;
  callers = [undefined, ann.jwt, bob.jwt, full, narrow];
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

const TYPES: Readonly<Record<string, string>> = {
  yes: 'Boolean!',
  maybe: 'Boolean! = true',
  most: 'Int',
  least: 'Int = 2',
  name: 'String',
  id: 'ID!',
};
const DEFAULTS = { maybe: true, least: 2 };

const directive = fc.constantFrom('', '', '', ' @include(if: $yes)', ' @skip(if: $maybe)', ' @skip(if: $yes)');
const list = fc.constantFrom(
  '',
  '(pagination: { limit: 2 })',
  '(pagination: { limit: $most })',
  '(sort: "rank:desc", filters: { rank: { gte: $least } })',
  '(filters: { rank: { lt: $most } })',
);

/** Kind → its values, and what is behind its other fields. */
const KINDS: Readonly<Record<string, { readonly values: readonly string[]; readonly inner: object }>> = {
  Article: {
    values: ['title', 'rank', 'secret', 'documentId', '__typename'],
    inner: { author: 'Author', tags: 'Tag', parts: 'ComponentSharedPart', blocks: '' },
  },
  Author: { values: ['name', 'documentId'], inner: { articles: 'Article' } },
  Tag: { values: ['name', 'rank'], inner: {} },
  ComponentSharedPart: { values: ['name', 'id'], inner: { tags: 'Tag' } },
};
const LISTS: ReadonlySet<string> = new Set(['tags', 'articles']);

/** A selection from an object of a kind. Fragments `Article` and `Tag` exist. */
function selection(kind: string, depth: number, fragments: boolean): fc.Arbitrary<string> {
  const { values = [], inner = {} } = KINDS[kind] ?? {};
  const value = fc.tuple(fc.constantFrom('', '', 'x: '), fc.constantFrom(...values), directive);
  const below = Object.entries(depth === 0 ? {} : inner).map(([name, of]) => {
    if (of === '') {
      const part = selection('ComponentSharedPart', depth - 1, fragments);
      return fc
        .tuple(part, directive)
        .map(
          ([one, when]) => `blocks${when} { ... on ComponentSharedPart ${one} ... on ComponentSharedQuote { text } }`,
        );
    }
    const alias = fc.constantFrom(name, `a_${name}: ${name}`, `b_${name}: ${name}`);
    return fc
      .tuple(alias, LISTS.has(name) ? list : fc.constant(''), directive, selection(of, depth - 1, fragments))
      .map((all) => `${all[0]}${all[1]}${all[2]} ${all[3]}`);
  });
  const spread = fc.tuple(fc.constantFrom(`...${kind}`, `... on ${kind}`), directive, fc.constantFrom(...values));
  const spreads =
    fragments && (kind === 'Article' || kind === 'Tag')
      ? [spread.map(([to, when, name]) => (to.includes(' ') ? `${to}${when} { ${name} }` : `${to}${when}`))]
      : [];
  const field = fc.oneof(
    value.map(([alias, name, when]) => `${alias === '' ? '' : `x_${name}: `}${name}${when}`),
    ...below,
    ...spreads,
  );
  return fc.array(field, { minLength: 1, maxLength: 4 }).map((fields) => `{ ${fields.join(' ')} }`);
}

const root = fc.oneof(
  // What only fragments decide.
  fc.constantFrom('articles { ...Article }', 'articles { tags { ...Tag } }'),
  fc.tuple(list, directive, selection('Article', 2, true)).map((all) => `articles${all.join(' ')}`),
  fc.tuple(list, selection('Article', 1, true)).map((all) => `others: articles${all.join(' ')}`),
  fc
    .tuple(list, directive, selection('Article', 1, true))
    .map(([given, when, one]) => `page: articles_connection${given} { nodes ${one} pageInfo${when} { total } }`),
  selection('Article', 2, true).map((one) => `article(documentId: $id) ${one}`),
  selection('Author', 2, true).map((one) => `authors ${one}`),
);
const query = fc
  .tuple(
    fc.array(root, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '...', '... @include(if: $yes)', '...Root'),
  )
  .map(([fields, around]) => {
    const all = [...new Map(fields.map((field) => [field.slice(0, 8), field])).values()].join(' ');
    if (around === '...Root') return ['query', '{ __typename ...Root }', `fragment Root on Query { ${all} }`] as const;
    return ['query', around === '' ? `{ ${all} }` : `{ __typename ${around} { ${all} } }`, ''] as const;
  });
const mutation = selection('Article', 2, true).map(
  (one) => ['mutation', `{ updateArticle(documentId: $id, data: { title: $name }) ${one} }`, ''] as const,
);

/** A document that names all of its variables, and declares them. */
const document = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: query }, { weight: 1, arbitrary: mutation }),
    selection('Article', 1, false),
    selection('Tag', 1, false),
  )
  .map(([[operation, fields, further], article, tag]) => {
    const fragments = { Article: `fragment Article on Article ${article}`, Tag: `fragment Tag on Tag ${tag}` };
    const spreads = (text: string, name: string): boolean => new RegExp(`\\.\\.\\.${name}\\b`, 'u').test(text);
    const used = Object.entries(fragments).flatMap(([name, text]) => (spreads(fields + further, name) ? [text] : []));
    const body = [fields, further, ...used].join('\n');
    const named = Object.entries(TYPES).flatMap(([name, type]) =>
      body.includes(`$${name}`) ? [`$${name}: ${type}`] : [],
    );
    return `${operation}${named.length === 0 ? '' : ` (${named.join(', ')})`} ${body}`;
  });

const variables = fc.record(
  {
    yes: fc.boolean(),
    maybe: fc.boolean(),
    most: fc.constantFrom(1, 2, 3, null),
    least: fc.constantFrom(0, 3),
    name: fc.constantFrom('same', 'other'),
    id: fc.nat(5),
  },
  { requiredKeys: ['yes', 'most', 'name', 'id'] },
);

/** Requests that repeat the same few documents, by different callers. */
const requests = fc.array(document, { minLength: 1, maxLength: 3 }).chain((documents) =>
  fc.array(fc.record({ text: fc.constantFrom(...documents), caller: fc.nat(4), given: variables }), {
    minLength: 4,
    maxLength: 16,
  }),
);

let made = 0;
/** The same document, which no cache knows, with values in place of its variables. */
function anew(text: string, values: object): string {
  made += 1;
  const bare = text.replace(/^(?<operation>query|mutation) \([^)]*\)/u, '$<operation>');
  const written = Object.entries(values).reduce(
    (rest, [name, value]) => rest.replaceAll(`$${name}`, JSON.stringify(value)),
    bare,
  );
  return `${written}\n# ${made}`;
}

/** Without what the text of a document decides. Fields that are read at once have their errors in any order. */
function compared({ data, errors = [] }: any): object {
  return { data, errors: errors.map((error: any) => JSON.stringify({ ...error, locations: undefined })).sort() };
}

it(
  'a known document with variables answers what a new one with their values does',
  { timeout: 3_600_000 },
  async () => {
    const reached = { data: 0, errors: 0, invalid: 0 };
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        for (const { text, caller, given } of all) {
          const values = { ...given, id: ids[given.id] };
          const ask = async (sent: string, variables?: object) => {
            const body = { query: sent, variables };
            const answer = await server.send('POST', '/graphql', { body, token: callers[caller] });
            return { status: answer.status, body: answer.body };
          };
          const warm = await ask(text, values);
          // With two variables of the same value, what would be a conflict is none.
          if (warm.status !== 200) {
            reached.invalid += 1;
            continue;
          }
          const cold = await ask(anew(text, { ...DEFAULTS, ...values }));
          expect([warm.status, compared(warm.body)]).toEqual([cold.status, compared(cold.body)]);
          if (warm.body.data) reached.data += 1;
          if (warm.body.errors) reached.errors += 1;
        }
      }),
      { numRuns: Number(process.env['PLANS_RUNS'] ?? 60) },
    );
    // The documents are such that both are reached often.
    expect(reached.data).toBeGreaterThan(reached.invalid);
    expect(reached.errors).toBeGreaterThan(0);
  },
);

it('plans are remembered up to a number of fields', () => {
  const MOST = 40;
  const known = createServerSchema(project.definition.contentTypes, 'v5', { introspection: 'always' }, []);
  const permissions = new Set(['article.find', 'author.find', 'tag.find'] as never[]);
  fc.assert(
    fc.property(fc.array(selection('Article', 2, false), { minLength: 1, maxLength: 30 }), (selections) => {
      const plansOf = createPlans(MOST);
      const asked = selections.map((text) => {
        const [operation] = parse(
          `query ($yes: Boolean!, $maybe: Boolean!, $most: Int, $least: Int) { articles ${text} }`,
        ).definitions;
        if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
        const [node] = operation.selectionSet.selections;
        if (node?.kind !== Kind.FIELD) throw new Error('no field');
        const scope: SelectionScope = {
          ...{ server: known, api: project.definition.api, caller: { permissions }, fragments: new Map() },
          variables: { yes: true, maybe: false, most: 2, least: 1 },
        };
        const field = { key: 'articles', nodes: [node], inner: 'Article' };
        return (): Plan => plansOf({ operation, fragments: new Map() })(scope, field);
      });
      const plans = asked.map((plan) => plan());
      // From the newest to the oldest: what is planned again meanwhile drives out only what is asked for later.
      const kept = plans.map((plan, index) => [plan, asked[index]] as const).reverse();
      const remembered = kept.filter(([plan, again]) => again?.() === plan).map(([plan]) => plan.size);
      const last = plans.at(-1);
      expect(remembered.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST);
      if (last && last.size <= MOST) expect(remembered.length).toBeGreaterThan(0);
    }),
    { numRuns: 200 },
  );
});
