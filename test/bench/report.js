// The report: tables in Markdown, and charts.
import { writeFileSync } from 'node:fs';
import { availableParallelism, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { ratioChart, sizeChart } from './charts.js';
import { engines } from './engines.js';
import { output } from './paths.js';
import { scenarios } from './scenarios.js';
import { SIZE_TARGETS } from './sizes.js';
import { median } from './statistics.js';
import { START_TARGET } from './start-up.js';

const CURVE_TITLES = {
  connect: 'connect at the end',
  connectBefore: 'connect before one',
  page: 'page 1',
  pageWithCount: 'page 1, counted',
};

const whole = (number) => Math.round(number).toLocaleString('en');
const exact = (number) => number.toFixed(2);
const percent = (share) => `${(share * 100).toFixed(1)} %`;
const titleOf = (engine) => engines[engine].title;

function table(head, rows) {
  const lines = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The median of ratios, and the lowest and the highest. */
const ranged = (ratios) => `${exact(median(ratios))} (${exact(Math.min(...ratios))}–${exact(Math.max(...ratios))})`;

/** One line on the terminal. */
export function comparisonLine({ engine, scenario, ratio, target, ratios, versionedRatios, generated, byHand }) {
  const reached = ratio >= target ? 'reached' : 'MISSED';
  return [
    `  ${titleOf(engine).padEnd(11)}${scenarios[scenario].title.padEnd(33)}`,
    `${ranged(ratios)} times, with versions ${ranged(versionedRatios)}, ${target} ${reached}: `,
    `${whole(generated.perSecond)}/s against ${whole(byHand.perSecond)}/s`,
  ].join('');
}

function comparisonSection(comparisons) {
  const rows = comparisons.map(({ engine, scenario, ratio, target, ratios, versionedRatios, generated, byHand }) => [
    titleOf(engine),
    scenarios[scenario].title,
    whole(generated.perSecond),
    whole(byHand.perSecond),
    `${exact(generated.p50)} / ${exact(byHand.p50)}`,
    `${exact(generated.p99)} / ${exact(byHand.p99)}`,
    `${whole(generated.memory)} / ${whole(byHand.memory)}`,
    ranged(ratios),
    ranged(versionedRatios),
    `${target}${ratio >= target ? '' : ' **missed**'}`,
  ]);
  const head = [
    'engine',
    'request',
    'generated /s',
    'by hand /s',
    'p50 ms',
    'p99 ms',
    'MB',
    'ratio',
    'with versions',
    'to reach',
  ];
  const groups = Object.keys(scenarios).flatMap((name) => {
    const found = comparisons.filter(({ scenario }) => scenario === name);
    const bars = found.map(({ engine, ratio, target }) => ({
      series: Object.keys(engines).indexOf(engine),
      value: ratio,
      target,
    }));
    return bars.length === 0 ? [] : [{ title: scenarios[name].title, bars }];
  });
  writeFileSync(join(output, 'ratios.svg'), ratioChart(Object.keys(engines).map(titleOf), groups));
  return `## Against a server written by hand

The ratio is the median of those of all rounds; the lowest and the highest are in brackets. Of two values the first is the
generated server's. Both check what comes in, set the same security headers and write no log; the generated one also gives
each request an id. “With versions” is the ratio to one written by hand that keeps versions of entries and sends ETags, as the generated one
does. 16 connections, each with one request at a time.

${table(head, rows)}

![ratios](ratios.svg)
`;
}

function hotSpotSection({ engine, scenario, ratio, target, hotSpots }) {
  const rows = (shares) => shares.map(({ name, share }) => [`\`${name}\``, percent(share)]);
  return `### ${titleOf(engine)}, ${scenarios[scenario].title}: ${exact(ratio)}, to reach ${target}

Of the time in which it was not idle:

${table(['part', 'self time'], rows(hotSpots.parts))}

${table(['function', 'self time'], rows(hotSpots.functions))}
`;
}

function startSection(starts) {
  const rows = starts.flatMap(({ engine, ...sides }) =>
    ['generated', 'byHand'].map((side) => {
      const { firstAnswer, first, tenth, idle, loaded } = sides[side];
      const missed = side === 'generated' && firstAnswer >= START_TARGET ? ' **missed**' : '';
      const times = [`${whole(firstAnswer)}${missed}`, exact(first), exact(tenth)];
      return [titleOf(engine), side === 'generated' ? 'generated' : 'by hand', ...times, whole(idle), whole(loaded)];
    }),
  );
  const head = ['engine', 'server', 'first answer ms', 'first list ms', 'tenth list ms', 'idle MB', 'loaded MB'];
  return `## Start

From the start of the process to the first answer, with a migrated database: below ${START_TARGET} ms is to be reached. Then the first
and the tenth list with three populated relations, and the memory before and after 3,000 of them.

${table(head, rows)}
`;
}

function sizeSection(sizes) {
  const rows = sizes.flatMap(({ engine, curves }) =>
    Object.entries(curves).map(([name, points]) => {
      const times = points.at(-1).milliseconds / points[0].milliseconds;
      const target = SIZE_TARGETS[name];
      const goal = target === undefined ? '' : `, at most ${target}${times <= target ? '' : ' **missed**'}`;
      const shown = points.map(({ size, milliseconds }) => `${size.toLocaleString('en')}: ${exact(milliseconds)}`);
      return [titleOf(engine), CURVE_TITLES[name], shown.join(' · '), `${exact(times)}${goal}`];
    }),
  );
  const charts = sizes.map(({ engine, curves }) => {
    const lines = Object.entries(curves).map(([name, points]) => ({ title: CURVE_TITLES[name], points }));
    writeFileSync(join(output, `sizes-${engine}.svg`), sizeChart(lines));
    return `![${titleOf(engine)}](sizes-${engine}.svg)`;
  });
  return `## Cost against size

Milliseconds a request, one at a time: connecting one entry to a list of so many, and the first page of a table of so many rows.

${table(['engine', 'request', 'rows: ms', 'largest / smallest'], rows)}

${charts.join('\n')}
`;
}

function buildSection(builds) {
  const cell = ({ seconds, memory }) => `${exact(seconds)} s, ${whole(memory)} MB`;
  const rows = builds.map(({ count, first, unchanged, attribute, check6, check7, client, start }) => [
    whole(count),
    ...[first, unchanged, attribute, check6].map(cell),
    `${exact(check7.seconds)} s`,
    client.toFixed(2),
    `${whole(start)} ms`,
  ]);
  const head = [
    'types',
    'first build',
    'unchanged',
    'one attribute more',
    'type check',
    'native type check',
    'with the client',
    'start',
  ];
  return `## The generator

Seconds and the peak of memory. "With the client" is the CPU time of a type check with a page that uses the client, to that without; "start" the
time from the start of the process to its first list, on SQLite.

${table(head, rows)}
`;
}

function machineLine(versions) {
  const named = versions.map(([engine, version]) => `${titleOf(engine)} ${version}`);
  const machine = `${availableParallelism()} cores, ${whole(totalmem() / 2 ** 30)} GB, ${platform()} ${release()}`;
  return [machine, `Node ${process.versions.node}`, ...named].join('; ');
}

/** Writes `report.md`; returns its path. */
export function writeReport({ versions, skipped, comparisons, starts, sizes, builds }) {
  const slow = comparisons.filter(({ hotSpots }) => hotSpots);
  const sections = [
    `# Benchmarks\n\n${machineLine(versions)}.`,
    ...skipped.map((line) => `${line}.`),
    ...(comparisons.length > 0 ? [comparisonSection(comparisons)] : []),
    ...(starts.length > 0 ? [startSection(starts)] : []),
    ...(sizes.length > 0 ? [sizeSection(sizes)] : []),
    ...(builds.length > 0 ? [buildSection(builds)] : []),
    ...(slow.length > 0 ? ['## Where the time goes', ...slow.map(hotSpotSection)] : []),
  ];
  const path = join(output, 'report.md');
  writeFileSync(path, `${sections.join('\n\n')}\n`);
  return path;
}
