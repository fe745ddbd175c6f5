/**
 * The routes of a content type: five routes, or three for a single type; plus one for the locales of a localized type.
 */
import type { ContentType } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { pathSegment, tsString } from '../escape.ts';
import { routesPath } from '../generated-paths.ts';
import { headerLine } from '../header.ts';
import { templateFile } from '../managed-file.ts';
import { localName } from './identifiers.ts';

/** The name of the function that creates a type's router: `articleRoutes`. */
export function routesName(type: ContentType): string {
  return `${type.names.camel}Routes`;
}

export function routesFile(type: ContentType): GeneratedFile {
  const isSingle = type.kind === 'singleType';
  const template = isSingle ? 'src/generated/single-routes.ts' : 'src/generated/collection-routes.ts';
  return templateFile(routesPath(type.uid), 'managed', template, {
    header: headerLine(`the content type \`${type.uid}\``),
    name: routesName(type),
    uid: pathSegment(type.uid),
    route: pathSegment(type.route),
    service: localName(isSingle ? type.uid : type.pluralName),
    localized: type.localized,
    draftAndPublish: type.draftAndPublish,
    history: type.history !== undefined,
    orDraft: type.draftAndPublish ? ", 'draft'" : '',
    key: type.key === undefined ? '' : `, ${tsString(type.key)}`,
  });
}
