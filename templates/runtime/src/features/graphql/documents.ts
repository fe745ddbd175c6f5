/** Documents: parsed, bounded and validated once, and remembered by their text. */
import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  type ValidationContext,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { DEFAULT_DEPTH } from '../../contract/graphql/settings.ts';
import { checkBounds, type DocumentCost, MAX_DOCUMENT, MAX_TOKENS } from './bounds.ts';
import { documentErrors, requestError } from './errors.ts';
import type { ServerSchema } from './server-schema.ts';

/** A valid document. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly cost: DocumentCost;
}

export interface Documents {
  /** Throws RequestError for a document that is too large, or not valid. `isVisible`: names that errors may suggest. */
  read(text: string, isVisible: (name: string) => boolean): KnownDocument;
}

/** All documents together, in characters. */
const MAX_SIZE = 4 * 1024 * 1024;

/** Documents of introspection are nested deeper than those that read entries. */
const INTROSPECTION_DEPTH = 20;

function isIntrospection(document: DocumentNode): boolean {
  return document.definitions.every((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return definition.kind === Kind.FRAGMENT_DEFINITION;
    return definition.selectionSet.selections.every(
      (one) => one.kind === Kind.FIELD && one.name.value.startsWith('__'),
    );
  });
}

/** Without suggestions of names that the caller may not see: `Did you mean "vault"?` */
function withoutHidden({ message, locations }: GraphQLError, isVisible: (name: string) => boolean) {
  const [said = message, suggested] = message.split(' Did you mean ');
  if (suggested === undefined) return { message, locations };
  const names = [...suggested.matchAll(/"(?<name>[^"]+)"/gu)].map(({ groups }) => groups?.['name'] ?? '');
  return { message: names.every(isVisible) ? message : said, locations };
}

function parsed(text: string): DocumentNode {
  if (text.length > MAX_DOCUMENT) {
    throw requestError(`The document is longer than ${MAX_DOCUMENT} characters`, 'GRAPHQL_PARSE_FAILED');
  }
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    throw documentErrors([error as GraphQLError], 'GRAPHQL_PARSE_FAILED');
  }
}

/** Refuses documents that ask for the schema. */
function noIntrospection(context: ValidationContext): ASTVisitor {
  const refused = 'GraphQL introspection is not allowed, but the query contained __schema or __type';
  return {
    Field(node) {
      const { value } = node.name;
      if (value === '__schema' || value === '__type') context.reportError(new GraphQLError(refused, { nodes: node }));
    },
  };
}

/** `allowsIntrospection`: whether documents may ask for the schema. */
export function createDocuments({ schema, settings }: ServerSchema, allowsIntrospection: boolean): Documents {
  const rules = allowsIntrospection ? specifiedRules : [...specifiedRules, noIntrospection];
  const known = new LRUCache<string, KnownDocument>({
    maxSize: MAX_SIZE,
    sizeCalculation: (_, text) => text.length + 1,
  });
  return {
    read(text, isVisible) {
      const found = known.get(text);
      if (found) return found;
      const document = parsed(text);
      const depth = settings.depthLimit ?? DEFAULT_DEPTH;
      const cost = checkBounds(document, isIntrospection(document) ? Math.max(depth, INTROSPECTION_DEPTH) : depth);
      const errors = validate(schema, document, rules, { maxErrors: 100 });
      if (errors.length > 0) {
        const shown = errors.map((error) => withoutHidden(error, isVisible));
        throw documentErrors(shown, 'GRAPHQL_VALIDATION_FAILED');
      }
      const { definitions } = document;
      const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
      const made: KnownDocument = {
        document,
        operations: definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION),
        fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
        cost,
      };
      known.set(text, made);
      return made;
    },
  };
}
