/** The type and attributes in the examples of README.md and AGENTS.md. */
import { canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import type { ContentType } from '../../model/content-model.ts';
import { propertyAccess, propertyKey } from '../escape.ts';
import type { View } from '../template.ts';

/** The examples for a project without a collection type. */
const ARTICLE = { uid: 'article', route: 'articles', pluralName: 'articles', draftAndPublish: true, attributes: [] };

type ExampleType = Pick<ContentType, 'uid' | 'route' | 'pluralName' | 'draftAndPublish' | 'attributes'>;

/** The names of the type's MCP tools, as Markdown. */
function toolsOf({ uid, pluralName, draftAndPublish }: ExampleType): string {
  const verbs = ['get', 'create', 'update', ...(draftAndPublish ? ['publish'] : []), 'delete'];
  const names = [`list_${pluralName}`, ...verbs.map((verb) => `${verb}_${uid}`)];
  return names.map((name) => `\`${name.replaceAll('-', '_')}\``).join(', ');
}

/** An attribute that an endpoint can set to a string. */
function textAttributeOf({ attributes }: ExampleType): string {
  const found = attributes.find(
    (one) => one.kind === 'scalar' && (one.type === 'string' || one.type === 'text') && !one.private && one.writable,
  );
  return found?.name ?? 'title';
}

/**
 * The first collection type, its first attribute that a list can be sorted by, and its first text. `types`: those with routes of
 * their own.
 */
export function exampleView(types: readonly ContentType[]): View {
  const lists = types.filter(({ kind }) => kind === 'collectionType');
  const type: ExampleType = lists[0] ?? ARTICLE;
  const text = textAttributeOf(type);
  return {
    exampleType: type.uid,
    exampleRoute: type.route,
    exampleEntries: propertyAccess(type.uid),
    exampleAttribute: type.attributes.find((one) => one.kind === 'scalar' && !one.private && canBeIndexed(one.type))
      ?.name,
    exampleText: text,
    exampleTextKey: propertyKey(text),
    exampleTools: toolsOf(type),
    exampleTags:
      lists.length === 0
        ? 'article,author'
        : lists
            .slice(0, 2)
            .map(({ uid }) => uid)
            .join(),
  };
}
