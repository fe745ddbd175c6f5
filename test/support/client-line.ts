/** Runs a line of code with the typed client of a served project. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServedProject } from './served-project.ts';

let lines = 0;

/** `line`: such as `await api.articles.find();`. Returns its value. */
export async function runClientLine({ project, origin }: ServedProject, token: string, line: string): Promise<any> {
  lines += 1;
  const file = join(project, `line-${lines}.mjs`);
  const options = JSON.stringify({ baseUrl: `${origin}/api`, token });
  const api = `import { createClient } from './client/index.js';\nconst api = createClient(${options});\n`;
  await writeFile(file, `${api}export default ${line}\n`);
  return (await import(pathToFileURL(file).href)).default;
}
