// Thirty images of 12 megapixels at once: how long they take, and the memory of the server meanwhile.
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { execa } from 'execa';
import { engines } from './engines.js';
import { prepareProject } from './project.js';
import { migrate, SETTINGS, startGenerated } from './servers.js';

const IMAGES = 30;
const WIDTH = 4000;
const HEIGHT = 3000;

const SCHEMA = `name: images
databases: [sqlite]
uploads: { sizes: { thumb: { width: 245 }, small: { width: 500 }, medium: { width: 750 }, large: { width: 1000 } } }
contentTypes:
  picture: { attributes: { image: { type: media } } }
`;

/** A photograph's worth of detail: noise over a gradient, as JPEG. */
async function photograph() {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 };
  return await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** The most resident memory in MB, looked at ten times a second while `work` runs. */
async function peakDuring(server, work) {
  let peak = await server.memory();
  const done = work();
  let isDone = false;
  done
    .catch(() => {})
    .then(() => {
      isDone = true;
    });
  while (!isDone) {
    peak = Math.max(peak, await server.memory());
    await setTimeout(100);
  }
  await done;
  return peak;
}

export async function measureImages({ say }) {
  const project = await prepareProject(SCHEMA, 'images');
  const database = await engines.sqlite.create('images');
  try {
    await migrate(project, database.url);
    const env = { ...SETTINGS, DATABASE_URL: database.url };
    const made = await execa(
      process.execPath,
      ['dist/generated/command.js', 'token', 'create', '--name', 'bench', '--type', 'full-access'],
      {
        cwd: project,
        env,
      },
    );
    const authorization = `Bearer ${made.stdout.trim().split('\n').at(-1)}`;
    const server = await startGenerated(project, database.url, { path: '/_health' });
    try {
      const bytes = await photograph();
      const before = await server.memory();
      const started = performance.now();
      const upload = async (_, index) => {
        const body = new FormData();
        body.append('files', new Blob([bytes], { type: 'image/jpeg' }), `photo-${index}.jpg`);
        const response = await fetch(`http://127.0.0.1:${server.port}/api/upload`, {
          method: 'POST',
          headers: { authorization },
          body,
        });
        if (!response.ok) throw new Error(await response.text());
        const [{ formats }] = await response.json();
        if (Object.keys(formats).length < 4) throw new Error('An image has not all of its sizes');
      };
      const peak = await peakDuring(server, () => Promise.all(Array.from({ length: IMAGES }, upload)));
      const seconds = (performance.now() - started) / 1000;
      say(
        `  ${IMAGES} images of ${(WIDTH * HEIGHT) / 1e6} megapixels (${(bytes.length / 1e6).toFixed(1)} MB each): ` +
          `${seconds.toFixed(1)} s; memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`,
      );
    } finally {
      await server.stop();
    }
  } finally {
    await database.drop();
  }
}
