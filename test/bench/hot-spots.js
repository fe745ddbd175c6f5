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
 * Self time in the second half of a profile, after the warm-up, by function and by part of the server, as shares of the
 * time in which the process was not idle.
 */
export function hotSpots({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const half = timeDeltas.reduce((sum, delta) => sum + delta, 0) / 2;
  const [byFunction, byPart] = [new Map(), new Map()];
  let elapsed = 0;
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const time = timeDeltas[index];
    elapsed += time;
    const frame = frames.get(id);
    if (elapsed < half || frame.functionName === '(idle)') continue;
    total += time;
    for (const [shares, key] of [
      [byFunction, placeOf(frame)],
      [byPart, partOf(frame)],
    ]) {
      shares.set(key, (shares.get(key) ?? 0) + time);
    }
  }
  return { functions: largest(byFunction, total), parts: largest(byPart, total), busy: total / half };
}
