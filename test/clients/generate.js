// Generates clients from documents: node generate.js GENERATOR FOLDER DOCUMENT…. Runs in the folder of the tools. Several documents
// get numbered folders below FOLDER.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , generator, target, ...documents] = process.argv;

const generators = {
  async 'openapi-typescript'(document, folder) {
    const { default: openapi, astToString } = await import('openapi-typescript');
    writeFileSync(join(folder, 'schema.ts'), astToString(await openapi(pathToFileURL(document))));
  },
  async 'hey-api'(document, folder) {
    const { createClient } = await import('@hey-api/openapi-ts');
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
    await createClient({ input: document, output: { path: folder }, plugins, logs: { level: 'silent', file: false } });
  },
  async orval(document, folder) {
    const { generate } = await import('orval');
    const mutator = { path: join(folder, 'request.ts'), name: 'request' };
    writeFileSync(
      mutator.path,
      `import qs from 'qs';
export const settings = { baseUrl: '' };
export async function request<T>({ url, method, params, data }: { url: string; method: string; params?: unknown; data?: unknown; headers?: unknown; signal?: AbortSignal }): Promise<T> {
  const body = data === undefined ? {} : { body: JSON.stringify(data), headers: { 'Content-Type': 'application/json' } };
  const response = await fetch(\`\${settings.baseUrl}\${url}?\${qs.stringify(params)}\`, { method, ...body });
  return (await response.json()) as T;
}
`,
    );
    const output = { target: join(folder, 'client.ts'), mode: 'single', client: 'axios-functions' };
    await generate({ input: { target: document }, output: { ...output, override: { mutator } } });
  },
  async kubb(document, folder) {
    const { build } = await import('@kubb/core');
    const { pluginOas } = await import('@kubb/plugin-oas');
    const { pluginTs } = await import('@kubb/plugin-ts');
    const { pluginClient } = await import('@kubb/plugin-client');
    const output = (path) => ({ output: { path, barrelType: false } });
    const { error, failedPlugins } = await build({
      config: {
        root: folder,
        // As an object: kubb would parse a file as YAML, and bundle it.
        input: { data: JSON.parse(readFileSync(document, 'utf8')) },
        output: { path: folder, clean: true, barrelType: false },
        plugins: [
          pluginOas({ generators: [], validate: false }),
          pluginTs(output('types.ts')),
          pluginClient({ ...output('client.ts'), client: 'axios', dataReturnType: 'data' }),
        ],
      },
    });
    if (error) throw error;
    if (failedPlugins.size > 0) throw new Error([...failedPlugins].map((failed) => String(failed.error)).join('\n'));
  },
};

rmSync(target, { recursive: true, force: true });
for (const [index, document] of documents.entries()) {
  const folder = documents.length === 1 ? target : join(target, String(index + 1));
  mkdirSync(folder, { recursive: true });
  await generators[generator](document, folder);
}
