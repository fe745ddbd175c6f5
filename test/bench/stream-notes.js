// `node stream-notes.js PROJECT COUNT`: reads all notes with `stream`, and says how long each tenth took and how much memory the
// process had at its peak.
import { openServer } from './open-server.js';

const [project, count] = process.argv.slice(2);
const TENTHS = 10;

const server = await openServer(project, process.env);
const tenth = Number(count) / TENTHS;
const tenths = [];
let read = 0;
let started = performance.now();
for await (const { id } of server.services.entries.note.stream()) {
  if (!Number.isInteger(id)) throw new Error('an entry has no id');
  read += 1;
  if (read % tenth === 0) {
    tenths.push(performance.now() - started);
    started = performance.now();
  }
}
await server.close();
console.log(JSON.stringify({ read, tenths, memory: process.resourceUsage().maxRSS / 1024 }));
