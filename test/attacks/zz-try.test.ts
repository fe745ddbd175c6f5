import { test } from 'vitest';
import { attackedProject } from '../support/attacks/project.ts';
test('x', async () => { const t = Date.now(); console.log(await attackedProject(async () => {}), Date.now() - t); });
