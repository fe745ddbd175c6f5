/** Converts types of the content model for the route table. */
import { type RouteGroup, usedGroups } from '#contract/routes/built-in.ts';
import type { RoutedType } from '#contract/routes/entries.ts';
import type { ContentModel, ContentType, RolePermissions } from '../model/content-model.ts';
import {
  hasCrops,
  hasFocalPoints,
  hasFolders,
  hasPlaceholders,
  hasTags,
  keepsDeletedFiles,
} from '../model/built-in-types.ts';
import { pathSegment } from './escape.ts';

/** The types of the schema, without built-in ones. */
export function ownTypes({ contentTypes }: Pick<ContentModel, 'contentTypes'>): readonly ContentType[] {
  return contentTypes.filter((type) => !type.builtIn);
}

/** The permissions of the role `public`, according to the schema. */
export function publicPermissions({ roles }: Pick<ContentModel, 'roles'>): readonly string[] {
  return roles.find(({ role }) => role === 'public')?.permissions ?? [];
}

/** The rules of the roles that have any. */
export function rolesWithRules({
  roles,
}: Pick<ContentModel, 'roles'>): readonly Required<Pick<RolePermissions, 'role' | 'rules'>>[] {
  return roles.flatMap(({ role, rules }) => (rules ? [{ role, rules }] : []));
}

/** The built-in route groups of a server with this model. */
export function builtInGroups({
  contentTypes,
  admin,
  costs,
  audit,
  events,
  webhooks,
  jobs,
  resumableUploads,
}: {
  readonly contentTypes: ContentModel['contentTypes'];
  readonly admin: unknown;
  readonly costs?: object | true | undefined;
  readonly audit: boolean;
  readonly events: boolean;
  readonly webhooks?: unknown;
  readonly jobs?: boolean;
  readonly resumableUploads?: boolean;
}): readonly RouteGroup[] {
  const chosen = [
    ...(admin === undefined ? [] : ['admin']),
    ...(contentTypes.some(({ schedules }) => schedules) ? ['schedules'] : []),
    ...(contentTypes.some(({ trash }) => trash !== undefined) ? ['trash'] : []),
    ...(keepsDeletedFiles(contentTypes) ? ['file-trash'] : []),
    ...(hasFolders(contentTypes) ? ['file-folders'] : []),
    ...(hasFocalPoints(contentTypes) ? ['focal-points'] : []),
    ...(hasCrops(contentTypes) ? ['crops'] : []),
    ...(hasPlaceholders(contentTypes) ? ['placeholders'] : []),
    ...(hasTags(contentTypes) ? ['file-tags'] : []),
    ...(resumableUploads ? ['resumable-uploads'] : []),
    ...(costs ? ['costs'] : []),
    ...(audit ? ['audit'] : []),
    ...(events ? ['events'] : []),
    ...(webhooks ? ['webhooks'] : []),
    ...(jobs ? ['jobs'] : []),
  ];
  return usedGroups(new Set(contentTypes.map(({ uid }) => uid)), new Set(chosen));
}

/** A type for the route table, with its names in openapi.json and the server's default format. */
export function routedType(type: ContentType, names: RoutedType['names'], format: RoutedType['format']): RoutedType {
  const { uid, kind, route, localized, draftAndPublish, schedules, history, attributes } = type;
  const media = attributes.filter((attribute) => attribute.kind === 'media').map(({ name }) => name);
  return {
    uid,
    kind,
    segment: pathSegment(route),
    localized,
    draftAndPublish,
    ...(schedules && { schedules }),
    ...(type.trash !== undefined && { trash: type.trash }),
    ...(history && { history: true as const }),
    media,
    names,
    ...(format && { format }),
  };
}
