// Hot spots of a CPU profile.

const SHOWN = 12;

/** Which part of the server a function belongs to. */
function partOf({ functionName, url }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native code and the database';
  if (url.startsWith('node:')) return 'node';
  const inPackage = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url.replace(/.*\/runtime\/dist\//, '/runtime/'));
  if (inPackage) return inPackage[1];
  return /\/(runtime\/dist\/[^/]+)/.exec(url)?.[1].replace('/dist', '') ?? 'generated code';
}

function placeOf({ functionName, url, lineNumber }) {
  const file = url.replace(/^.*\/(?:node_modules|project)\//, '');
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}

function largest(shares, total) {
  return [...shares]
    .map(([name, time]) => ({ name, share: time / total }))
    .sort((one, other) => other.share - one.share)
    .slice(0, SHOWN);
}

/**
 * Self time by function and by part of the server, as shares of the time in which the process was not idle. The first half is
 * ignored, since the process starts and warms up.
 */
export function hotSpots({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const busy = samples
    .map((id, index) => ({ frame: frames.get(id), time: timeDeltas[index] }))
    .filter(({ frame }) => frame.functionName !== '(idle)');
  const half = busy.reduce((sum, { time }) => sum + time, 0) / 2;
  const [byFunction, byPart] = [new Map(), new Map()];
  let elapsed = 0;
  for (const { frame, time } of busy) {
    elapsed += time;
    if (elapsed < half) continue;
    for (const [shares, key] of [
      [byFunction, placeOf(frame)],
      [byPart, partOf(frame)],
    ]) {
      shares.set(key, (shares.get(key) ?? 0) + time);
    }
  }
  return { functions: largest(byFunction, half), parts: largest(byPart, half) };
}
