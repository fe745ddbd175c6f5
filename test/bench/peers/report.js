// The tables of the peers, in Markdown.
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';

const rounded = (value) => Math.round(value).toLocaleString('en');

function rate(value) {
  if (value === undefined) return '—';
  if (value === 'failed') return 'failed';
  return value < 100 ? value.toFixed(1) : rounded(value);
}

function machine() {
  const [{ model = 'unknown' } = {}] = cpus();
  return `${availableParallelism()} cores of ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${release()}, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}`;
}

function table({ running, titles }) {
  const row = (title, valueOf) => `| ${[title, ...running.map(valueOf)].join(' | ')} |`;
  return [
    row('', ({ peer }) => peer.title),
    row('---', () => '---:'),
    ...titles.map((title) => row(title, ({ rates }) => rate(rates[title]))),
    row('start, ms', ({ start }) => rounded(start)),
    row('memory at rest / after, MB', ({ idle, loaded }) => `${Math.round(idle)} / ${Math.round(loaded)}`),
    row('installation, MB', ({ size }) => String(size)),
  ];
}

/** Why cells have no figure. */
function notesOf({ title, notes = {} }) {
  const names = new Map();
  for (const [name, note] of Object.entries(notes)) names.set(note, [...(names.get(note) ?? []), name]);
  return [...names].map(([note, scenarios]) => `- — of ${title} (${scenarios.join(', ')}): ${note}`);
}

function descriptionOf({ title, install, command, dependencies }) {
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  return `- ${title}: \`${install}\`; \`${command}\`${versions.length > 0 ? ` (${versions.join(', ')})` : ''}`;
}

/** `measured`: by engine, with the `version` of its database. */
export function report({ measured, installed, skipped, options: { rounds } }) {
  const sections = measured.flatMap(({ title, version, failures, ...one }) => [
    `### ${title} ${version}`,
    '',
    ...(one.running.length > 0 ? [...table(one), ''] : []),
    ...failures.map((failure) => `- failed: ${failure}`),
    ...(failures.length > 0 ? [''] : []),
  ]);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${machine()}; medians of ${rounds} rounds, requests per second.`,
    '',
    ...sections,
    ...installed.map(({ peer }) => descriptionOf(peer)),
    ...installed.flatMap(({ peer }) => notesOf(peer)),
    ...skipped.map((line) => `- left out: ${line}`),
  ].join('\n');
}
