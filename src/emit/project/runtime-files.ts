/**
 * `runtime/`: the built runtime package with the modules that the schema needs. `npm run build` of this repository
 * builds it.
 */
import { previewUrlOf } from '#contract/admin.ts';
import { hasFocalPoints, hasFolders, hasPlaceholders } from '../../model/built-in-types.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { adminFiles, builtFile, readContents, type Use } from '../built-files.ts';
import { headerLine } from '../header.ts';
import { jsonFile, textFile } from '../managed-file.ts';
import { readTemplate } from '../read-templates.ts';
import { builtPackage, type RuntimePackage } from './runtime-package.ts';

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
  if (hasPlaceholders(contentTypes)) uses.add('placeholders');
  if (imageSizes?.some(({ also }) => also)) uses.add('imageFormats');
  if (resumableUploads) uses.add('resumable');
  if (contentTypes.some(({ history }) => history)) uses.add('history');
  return uses;
}

/** An empty TypeScript project for those that reference it: only the ejected package has sources to compile. */
const NOTHING_TO_COMPILE = { compilerOptions: { composite: true }, include: [], references: [] };

/** The built package. It has no sources or tests; `eject` writes those. */
export function runtimeFiles(model: ContentModel): GeneratedFile[] {
  const { exports, modules, packages: optional, files } = readContents();
  const uses = usesOf(model);
  const isUsed = (name: string) => modules[name]?.for?.some((use) => uses.has(use)) ?? true;
  const isNeeded = (name: string) => optional[name]?.for.some((use) => uses.has(use)) ?? true;
  const imported = Object.entries(modules).flatMap(([name, module]) => (isUsed(name) ? module.packages : []));
  const packages = new Set(imported.filter(isNeeded));
  const description = JSON.parse(readTemplate('runtime/package.json')) as RuntimePackage;
  return [
    jsonFile(
      'runtime/package.json',
      'managed',
      builtPackage(description, {
        exports: Object.fromEntries(Object.entries(exports).filter(([, module]) => isUsed(module))),
        packages,
        media: uses.has('media'),
      }),
    ),
    jsonFile('runtime/tsconfig.json', 'managed', NOTHING_TO_COMPILE),
    textFile('runtime/README.md', 'managed', readTemplate('runtime/README.md')),
    textFile(COMMAND, 'managed', `${HEADER}\n${readTemplate(COMMAND)}`),
    ...Object.entries(files)
      .filter(([, { module }]) => isUsed(module))
      .map(([path, file]) => builtFile(`runtime/${path}`, `runtime/dist/${path}`, file)),
    ...(uses.has('admin') ? adminFiles('runtime/admin/', uses.has('preview')) : []),
  ];
}
