/**
 * `runtime/`: the built runtime package with the modules that the schema needs. `npm run build` of this repository
 * builds it.
 */
import { previewUrlOf } from '#contract/admin.ts';
import { hasCrops, hasFocalPoints, hasFolders, hasPlaceholders, hasTags } from '../../model/built-in-types.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { adminFiles, builtFile, readContents, type Use } from '../built-files.ts';
import { headerLine } from '../header.ts';
import type { Json } from '../json.ts';
import { jsonFile, textFile } from '../managed-file.ts';
import { readTemplate } from '../read-templates.ts';
import { builtPackage, publicPackage, readRuntimePackage } from './runtime-package.ts';

const HEADER = headerLine('its package `@content-gen/runtime`');
const COMMAND = 'runtime/bin/command.js';

function usesOf({
  databases,
  contentTypes,
  components,
  docs,
  mcp,
  graphql,
  admin,
  roles,
  webhooks,
  cacheTags,
  costs,
  audit,
  events,
  jobs,
  imageSizes,
  resumableUploads,
}: ContentModel): ReadonlySet<Use> {
  const uses = new Set<Use>(databases);
  if (contentTypes.some(({ uid }) => uid === 'file')) uses.add('media');
  const attributes = [...contentTypes, ...components].flatMap((owner) => owner.attributes);
  if (attributes.some((attribute) => attribute.kind === 'scalar' && attribute.type === 'uid')) uses.add('uid');
  if (docs !== false) uses.add('docs');
  if (mcp) uses.add('mcp');
  if (graphql !== undefined) uses.add('graphql');
  if (admin !== undefined) uses.add('admin');
  if (previewUrlOf(admin) !== undefined) uses.add('preview');
  if (roles.some(({ rules }) => rules !== undefined)) uses.add('rules');
  if (webhooks !== undefined) uses.add('webhooks');
  if (cacheTags) uses.add('cacheTags');
  if (costs !== undefined) uses.add('costs');
  if (audit) uses.add('audit');
  if (events) uses.add('events');
  if (jobs) uses.add('jobs');
  if (contentTypes.some(({ schedules }) => schedules)) uses.add('schedules');
  if (contentTypes.some(({ trash }) => trash !== undefined)) uses.add('trash');
  if (hasFolders(contentTypes)) uses.add('folders');
  if (hasFocalPoints(contentTypes)) uses.add('focalPoints');
  if (hasCrops(contentTypes)) uses.add('crops');
  if (hasPlaceholders(contentTypes)) uses.add('placeholders');
  if (imageSizes?.some(({ also }) => also)) uses.add('imageFormats');
  if (resumableUploads) uses.add('resumable');
  if (hasTags(contentTypes)) uses.add('fileTags');
  if (contentTypes.some(({ history }) => history)) uses.add('history');
  return uses;
}

/** An empty TypeScript project for those that reference it: only the ejected package has sources to compile. */
const NOTHING_TO_COMPILE = { compilerOptions: { composite: true }, include: [], references: [] };

/**
 * The built package with what the uses need, `all` with everything. It has no sources or tests; `eject` writes those.
 */
function builtRuntime(uses: ReadonlySet<Use> | 'all'): {
  readonly description: Readonly<Record<string, Json>>;
  readonly files: GeneratedFile[];
} {
  const { exports, modules, packages: optional, files } = readContents();
  const isNeededBy = (needs: readonly Use[] | undefined) =>
    uses === 'all' || (needs?.some((use) => uses.has(use)) ?? true);
  const has = (use: Use) => uses === 'all' || uses.has(use);
  const isUsed = (name: string) => isNeededBy(modules[name]?.for);
  const imported = Object.entries(modules).flatMap(([name, module]) => (isUsed(name) ? module.packages : []));
  const packages = new Set(imported.filter((name) => isNeededBy(optional[name]?.for)));
  const source = readRuntimePackage();
  const description = builtPackage(source, {
    exports: Object.fromEntries(Object.entries(exports).filter(([, module]) => isUsed(module))),
    packages,
    media: has('media'),
  });
  return {
    description,
    files: [
      textFile('runtime/README.md', 'managed', readTemplate('runtime/README.md')),
      ...Object.entries(files)
        .filter(([, { module }]) => isUsed(module))
        .map(([path, file]) => builtFile(`runtime/${path}`, `runtime/dist/${path}`, file)),
      ...(has('admin') ? adminFiles('runtime/admin/', has('preview')) : []),
    ],
  };
}

/** `runtime/` of a project. Nothing where it is installed. */
export function runtimeFiles(model: ContentModel): GeneratedFile[] {
  if (model.runtime === 'package') return [];
  const { description, files } = builtRuntime(usesOf(model));
  return [
    jsonFile('runtime/package.json', 'managed', description),
    jsonFile('runtime/tsconfig.json', 'managed', NOTHING_TO_COMPILE),
    textFile(COMMAND, 'managed', `${HEADER}\n${readTemplate(COMMAND)}`),
    ...files,
  ];
}

/** The package that projects with `runtime: package` install. Its paths begin with `runtime/`, too. */
export function runtimePackage(): GeneratedFile[] {
  const { description, files } = builtRuntime('all');
  return [
    jsonFile('runtime/package.json', 'managed', publicPackage(description)),
    textFile(COMMAND, 'managed', `#!/usr/bin/env node\n${readTemplate(COMMAND)}`),
    ...files,
  ];
}
