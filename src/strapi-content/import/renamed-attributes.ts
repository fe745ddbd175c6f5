/** Gives attributes of an archive the names that they have in this project, where those differ: `año` is `ano` here. */
import type { Component, ContentType, ContentTypes } from '#contract/content-type.ts';
import { attributeNames, insteadOfAttribute } from '../../strapi/names.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { isMembers, type LinkEnd, member, type Members, type StrapiSchema } from '../../strapi/records.ts';
import { matchSchemas } from './match-schemas.ts';

/** Names in an archive → names in the project, of the attributes of one type or component. */
type Renames = ReadonlyMap<string, string>;

function renamesOf({ attributes }: ContentType | Component, schema: StrapiSchema): Renames {
  const has = (name: string): boolean => Object.hasOwn(attributes, name);
  const names = attributeNames(Object.keys(schema.attributes));
  return new Map(
    [...names].flatMap(([name, plain]) => {
      const own = [name, plain, insteadOfAttribute(plain)].find(has);
      return own === undefined || own === name ? [] : [[name, own] as const];
    }),
  );
}

interface Renaming {
  readonly schemas: ReadonlyMap<string, StrapiSchema>;
  /** By the uid in the archive. */
  readonly renames: ReadonlyMap<string, Renames>;
}

function renamed(members: Members, renames: Renames | undefined): Members {
  if (!renames) return members;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [renames.get(name) ?? name, value]));
}

/** The component of an item: that of the attribute, or in a dynamic zone the one that the item names. */
function componentOf(attribute: Members, item: Members): string {
  return String(attribute['type'] === 'dynamiczone' ? item['__component'] : attribute['component']);
}

function renamedItem(renaming: Renaming, attribute: Members, item: unknown): unknown {
  return isMembers(item) ? renamedData(renaming, componentOf(attribute, item), item) : item;
}

/** The data of an entity or a component item, with the components in it. */
function renamedData(renaming: Renaming, uid: string, data: Members): Members {
  const attributes = renaming.schemas.get(uid)?.attributes;
  const inner = Object.entries(data).map(([name, value]) => {
    const attribute = member(attributes, name);
    if (!isMembers(attribute) || (attribute['type'] !== 'component' && attribute['type'] !== 'dynamiczone')) {
      return [name, value] as const;
    }
    const made = Array.isArray(value)
      ? value.map((item) => renamedItem(renaming, attribute, item))
      : renamedItem(renaming, attribute, value);
    return [name, made] as const;
  });
  return renamed(Object.fromEntries(inner), renaming.renames.get(uid));
}

function renamedEnd<End extends LinkEnd>({ renames }: Renaming, end: End): End {
  const field = end.field === undefined ? undefined : renames.get(end.type)?.get(end.field);
  return field === undefined ? end : { ...end, field };
}

/** The archive with the names of the project; the archive itself if all are the same. */
export function withProjectNames(contentTypes: ContentTypes, archive: StrapiArchive): StrapiArchive {
  const renames = new Map(
    [...matchSchemas(contentTypes, archive)].flatMap(([schema, own]) => {
      const found = renamesOf(own, schema);
      return found.size === 0 ? [] : [[schema.uid, found] as const];
    }),
  );
  if (renames.size === 0) return archive;
  const renaming: Renaming = { schemas: new Map(archive.schemas.map((schema) => [schema.uid, schema])), renames };
  return {
    ...archive,
    schemas: archive.schemas.map((schema) => ({
      ...schema,
      attributes: renamed(schema.attributes, renames.get(schema.uid)) as StrapiSchema['attributes'],
    })),
    async *read(wanted, containing) {
      for await (const item of archive.read(wanted, containing)) {
        if (item.kind === 'entity') {
          const { entity } = item;
          yield { ...item, entity: { ...entity, data: renamedData(renaming, entity.type, entity.data) } };
        } else if (item.kind === 'link') {
          const { link } = item;
          const [left, right] = [renamedEnd(renaming, link.left), renamedEnd(renaming, link.right)];
          yield { ...item, link: { ...link, left, right } };
        } else yield item;
      }
    },
  };
}
