import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'vitest';
import { emitProject } from '../src/emit/emit-project.ts';
import { formatText } from '../src/output/format.ts';
import { layoutOf, richModel } from './rich-model.ts';
test('dump', async () => {
  for (const file of emitProject({ model: richModel, layout: layoutOf(richModel) })) {
    const path = join('/tmp/eg/out', file.path);
    mkdirSync(dirname(path), { recursive: true });
    const text = await file.print();
    writeFileSync(path, await formatText(text, file.format).catch((e) => { console.log(file.path, e.message); return text; }));
  }
});
