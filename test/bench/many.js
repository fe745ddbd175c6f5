// How much faster own code creates a thousand entries at a time than one by one, and how much memory `stream` takes.
import { openServer } from './open-server.js';
import { prepareProject } from './project.js';
import { migrate, SETTINGS } from './servers.js';
import { measureStream } from './stream.js';

const COUNT = 1000;

const MANY = `name: many
databases: [sqlite, postgres, mysql]
admin: false
docs: false
contentTypes:
  note:
    attributes:
      title: { type: string, required: true, maxLength: 120 }
      body: { type: text }
      rating: { type: integer, min: 0 }
  page:
    attributes:
      title: { type: string, required: true, maxLength: 120 }
      slug: { type: uid }
      status: { type: enumeration, enum: [idea, ready], default: idea }
      seo: { type: component, component: shared.seo }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: pages }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: pages }
  author:
    attributes:
      name: { type: string, required: true }
      pages: { type: relation, relation: oneToMany, target: page, mappedBy: author }
  tag:
    attributes:
      name: { type: string, required: true }
      pages: { type: relation, relation: manyToMany, target: page, mappedBy: tags }
components:
  shared.seo: { attributes: { metaTitle: { type: string } } }
`;

const numbered = (make) => Array.from({ length: COUNT }, (_, index) => make(index));

/** Kind of entry → function that makes the data of all entries. */
async function kinds({ author, tag }) {
  const { data: ada } = await author.create({ name: 'Ada' });
  const tags = await tag.createMany(numbered((index) => ({ name: `tag ${index}` })));
  return {
    note: (round) =>
      numbered((index) => ({ title: `note ${index} of ${round}`, body: 'Some words. '.repeat(20), rating: index })),
    page: (round) =>
      numbered((index) => ({
        title: `page ${index}`,
        slug: `page-${round}-${index}`,
        seo: { metaTitle: 'A page' },
        author: ada.id,
        tags: [tags[index], tags[(index + 7) % COUNT]],
      })),
  };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measureKind(entries, makeData, rounds, name) {
  const single = [];
  const together = [];
  for (let round = 0; round <= rounds; round += 1) {
    const one = makeData(`${name} one ${round}`.replaceAll(' ', '-'));
    const all = makeData(`${name} all ${round}`.replaceAll(' ', '-'));
    const times = [
      await timed(async () => {
        for (const data of one) await entries.create(data);
      }),
      await timed(() => entries.createMany(all)),
    ];
    // The first round prepares the statements.
    if (round > 0) [single, together].forEach((list, index) => list.push(times[index]));
  }
  // The fastest rounds: other work on the machine can only slow them down.
  return { single: Math.min(...single), together: Math.min(...together) };
}

/** Prints for each kind of entry how long a thousand take, and what `stream` takes. */
export async function measureMany({ engineName, engine, options, say }) {
  const project = await prepareProject(MANY, 'many');
  const database = await engine.create('many');
  try {
    await migrate(project, database.url);
    const server = await openServer(project, { ...SETTINGS, DATABASE_URL: database.url });
    const { entries } = server.services;
    for (const [name, makeData] of Object.entries(await kinds(entries))) {
      const { single, together } = await measureKind(entries[name], makeData, options.quick ? 5 : 15, engineName);
      const times = `${single.toFixed(0)} ms one by one, ${together.toFixed(0)} ms by createMany`;
      say(`  ${COUNT} entries of ${name}: ${times} (${(single / together).toFixed(1)} times as fast)`);
    }
    await server.close();
    await measureStream({ project, database, engine, options, say });
  } finally {
    await database.drop();
  }
}
