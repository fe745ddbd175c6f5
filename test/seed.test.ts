/** `npm run server -- seed --random N`: what it creates has passed every check of a request, whatever the schema asks for. */
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ForbiddenError } from '../templates/runtime/src/contract/errors.ts';
import { runSeed } from '../templates/runtime/src/server/commands/run-seed.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { sql } from '../templates/runtime/src/database/sql.ts';
import { casesOf } from '../templates/runtime/test-support/in-full.ts';
import { fixtureSchema, generateProject } from './support/served-project.ts';

/** What `seed` of the extensions gets, as far as it is used here. */
interface AnyServices {
  readonly entries: Readonly<Record<string, { save(data: object): Promise<unknown> }>>;
}

type Project = Awaited<ReturnType<typeof generateProject>>;

let project: Project | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await project?.remove();
});

/** Runs the command on a database of its own; answers what it printed. */
async function seed({ definition, folder }: Project, args: readonly string[], extensions = {}) {
  const printed: string[] = [];
  const print = (text: unknown): boolean => printed.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(print);
  vi.spyOn(process.stderr, 'write').mockImplementation(print);
  const variables = {
    DATABASE_URL: `sqlite:${join(folder, 'seed.db')}`,
    UPLOAD_DIR: join(folder, 'uploads'),
    JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const code = await runSeed(definition, extensions, args);
  vi.restoreAllMocks();
  return { code, printed: printed.join('') };
}

async function rowsOf({ definition, folder }: Project, uid: string) {
  const database = await openDatabase(`sqlite:${join(folder, 'seed.db')}`);
  try {
    const table = definition.contentTypes.types[uid]?.table ?? '';
    return await database.all(sql`SELECT * FROM ${database.dialect.id(table)} ORDER BY id`);
  } finally {
    await database.close();
  }
}

const RULES = `
databases: [sqlite]
contentTypes:
  order:
    draftAndPublish: true
    attributes:
      code: { type: string, required: true, unique: true, regex: '^[A-Z]{2}-[0-9]{4}$' }
      short: { type: string, required: true, minLength: 3, maxLength: 4 }
      mail: { type: email, required: true, unique: true, maxLength: 40 }
      tiny: { type: decimal, required: true, min: 0.01, max: 0.02 }
      huge: { type: biginteger, required: true, min: '9007199254740993', max: '9007199254740999' }
      below: { type: integer, required: true, max: -5 }
      state: { type: enumeration, enum: [open, paid, sent], required: true, unique: true }
      customer: { type: relation, relation: manyToOne, target: customer, required: true }
      scan: { type: media, required: true, allowedTypes: [videos] }
      lines: { type: component, component: order.line, repeatable: true, required: true, min: 2, max: 3 }
  customer:
    attributes:
      name: { type: string, required: true }
      card: { type: relation, relation: oneToOne, target: card, inversedBy: customer, required: true }
  card:
    attributes:
      number: { type: uid }
      customer: { type: relation, relation: oneToOne, target: customer, mappedBy: card }
components:
  order.line:
    attributes:
      amount: { type: integer, required: true, min: 1, max: 9 }
      article: { type: relation, relation: oneWay, target: card }
`;

describe('random content', { timeout: 180_000 }, () => {
  it.each(['every-attribute', 'every-relation', 'blog', 'magazine'])('keeps the rules of fixtures/%s', async (name) => {
    project = await generateProject(await fixtureSchema(name));
    const { code, printed } = await seed(project, ['--random', String(casesOf('SEEDED_ENTRIES', 2, 5))]);
    expect(code, printed).toBe(0);
    const { types } = project.definition.contentTypes;
    const collections = Object.keys(project.definition.routes).filter((uid) => types[uid]?.kind === 'collectionType');
    for (const uid of collections) expect(printed).toMatch(new RegExp(`^${uid}: \\d+ entr`, 'm'));
  });

  it('keeps narrow rules, says where no more values are, and is the same for the same number', async () => {
    project = await generateProject(RULES);
    const { code, printed } = await seed(project, ['--random', '5', '--seed', '7']);
    expect({ code, printed }).toMatchObject({ code: 0 });
    expect(printed).toContain('order: 3 entries (no further value was found for order.state that satisfies its rules)');
    const orders = await rowsOf(project, 'order');
    expect(orders).toHaveLength(3);
    for (const order of orders) {
      expect(order['code']).toMatch(/^[A-Z]{2}-[0-9]{4}$/);
      expect(String(order['short']).length).toBeLessThanOrEqual(4);
      expect(order['customer_id']).not.toBeNull();
    }
    const first = orders.map(({ code: value }) => value);
    await project.remove();
    project = await generateProject(RULES);
    await seed(project, ['--random', '5', '--seed', '7']);
    expect((await rowsOf(project, 'order')).map(({ code: value }) => value)).toEqual(first);
  });

  it('adds to what is there, of one type alone', async () => {
    project = await generateProject(RULES);
    await seed(project, ['--random', '2', '--type', 'card']);
    expect((await seed(project, ['--random', '2', '--type', 'customer'])).code).toBe(0);
    expect(await rowsOf(project, 'customer')).toHaveLength(2);
    expect(await seed(project, ['--random', '1', '--type', 'custmer'])).toMatchObject({ code: 2 });
  });

  it('leaves the entry of a single type, which an editor may have written, unless the type is named', async () => {
    project = await generateProject(
      'databases: [sqlite]\ncontentTypes:\n  page:\n    kind: singleType\n    attributes: { title: { type: string, required: true } }\n',
    );
    const team = { seed: ({ entries }: AnyServices) => entries['page']?.save({ title: 'Welcome' }) };
    await seed(project, [], team as object);
    const { printed } = await seed(project, ['--random', '2']);
    expect(printed).toBe('page: 0 entries (it has one, which stays; to replace it: --type page)\n');
    expect(await rowsOf(project, 'page')).toMatchObject([{ title: 'Welcome' }]);
    expect((await seed(project, ['--random', '2', '--type', 'page'])).printed).toBe('page: 1 entry\n');
    expect((await rowsOf(project, 'page'))[0]?.['title']).not.toBe('Welcome');
  });
});

it('names the type whose hook refuses random content', async () => {
  project = await generateProject(RULES);
  const refuse = () => {
    throw new ForbiddenError('Only its owner may change it');
  };
  const { code, printed } = await seed(project, ['--random', '1'], {
    hooks: { card: { beforeUpdate: refuse, beforeCreate: refuse } },
  });
  expect(code).toBe(1);
  expect(printed).toContain('card: Only its owner may change it\n');
  expect(printed).toContain("`caller.kind === 'server'`");
});

describe('content of the team', () => {
  it('is what `seed` of the extensions creates; in production only by force', async () => {
    project = await generateProject(RULES);
    const extensions = {
      seed: ({ entries }: any) => entries.card.create({ number: 'one' }),
    };
    expect(await seed(project, [], extensions)).toMatchObject({
      code: 0,
      printed: expect.stringContaining('Ran `seed` of src/extensions/index.ts.'),
    });
    expect(await rowsOf(project, 'card')).toMatchObject([{ number: 'one' }]);
    vi.stubEnv('NODE_ENV', 'production');
    expect(await seed(project, ['--random', '1'])).toMatchObject({ code: 3 });
    vi.unstubAllEnvs();
    expect(await seed(project, [])).toMatchObject({ code: 3, printed: expect.stringContaining('--random 10') });
  });
});
