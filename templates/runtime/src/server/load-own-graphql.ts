/** Loads what a project's own code adds to GraphQL: endpoints that are fields, too, and documents. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { FeatureHost, OwnEndpoint } from '../http/feature.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import type { OpenEndpoint } from './mount-endpoints.ts';

/** Throws if the server has no GraphQL, and for an endpoint that can't be a field. */
async function loadOwnFields(
  { graphql }: Pick<ServerDefinition, 'graphql'>,
  endpoints: readonly OpenEndpoint[],
): Promise<readonly OwnEndpoint[]> {
  const fields = endpoints.filter(({ endpoint }) => endpoint.graphql !== undefined);
  const [first] = fields;
  if (!first) return [];
  if (!graphql) {
    throw new Error(
      `the endpoint ${first.route.method} ${first.route.path} is a field of GraphQL, which the schema does not switch on. Write \`graphql: true\` at its top level, and build the project again`,
    );
  }
  const { fieldOf } = await import('./describe-field.ts').catch(explainMissingModule('graphql'));
  return fields.map(({ endpoint, route }) => ({ route, field: fieldOf(endpoint) }));
}

export async function loadOwnGraphql(
  definition: Pick<ServerDefinition, 'graphql'>,
  { trustedDocuments = {} }: Pick<AnyExtensions, 'trustedDocuments'>,
  endpoints: readonly OpenEndpoint[],
): Promise<Pick<FeatureHost<unknown>, 'ownFields' | 'trustedDocuments'>> {
  return { ownFields: await loadOwnFields(definition, endpoints), trustedDocuments };
}
