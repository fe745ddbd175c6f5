/**
 * A generated server with relations of every kind between hubs and leaves, as `relation-model.ts` knows them, over
 * HTTP.
 */
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Dialect } from '../../src/model/content-model.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { types } from '../../templates/runtime/test-support/relation-database.ts';
import { type ServedProject, serveProject } from './served-project.ts';

/** Attributes in the order of the model, which is also the order of writes. */
const SCHEMA = `
name: relations
databases: [sqlite, postgres, mysql]
permissions: { public: { '*': '*' } }
contentTypes:
  hub:
    attributes:
      oneWay: { type: relation, relation: oneWay, target: leaf }
      oneOne: { type: relation, relation: oneToOne, target: leaf, inversedBy: hubOne }
      manyOne: { type: relation, relation: manyToOne, target: leaf, inversedBy: hubsOfOne }
      oneMany: { type: relation, relation: oneToMany, target: leaf, mappedBy: hubOfMany }
      manyMany: { type: relation, relation: manyToMany, target: leaf, inversedBy: hubsMany }
      manyWay: { type: relation, relation: manyWay, target: leaf }
      parent: { type: relation, relation: manyToOne, target: hub, inversedBy: children }
      children: { type: relation, relation: oneToMany, target: hub, mappedBy: parent }
      next: { type: relation, relation: oneToOne, target: hub, inversedBy: previous }
      previous: { type: relation, relation: oneToOne, target: hub, mappedBy: next }
      follows: { type: relation, relation: manyToMany, target: hub, inversedBy: followers }
      followers: { type: relation, relation: manyToMany, target: hub, mappedBy: follows }
      friends: { type: relation, relation: manyWay, target: hub }
      morphOne: { type: relation, relation: morphToOne, targets: [hub, leaf] }
      morphMany: { type: relation, relation: morphToMany, targets: [hub, leaf] }
  leaf:
    pluralName: leaves
    attributes:
      hubOne: { type: relation, relation: oneToOne, target: hub, mappedBy: oneOne }
      hubsOfOne: { type: relation, relation: oneToMany, target: hub, mappedBy: manyOne }
      hubOfMany: { type: relation, relation: manyToOne, target: hub, inversedBy: oneMany }
      hubsMany: { type: relation, relation: manyToMany, target: hub, mappedBy: manyMany }
`;

const PATHS: Readonly<Record<string, string>> = { hub: 'hubs', leaf: 'leaves' };

export interface RelationServer {
  readonly server: ServedProject;
  readonly database: TestDatabase;
  /** The status of the response, and the id of its entry. */
  send(method: string, uid: string, id: number | undefined, data?: object): Promise<{ status: number; id: number }>;
  /** The members of each relation of an entry, such as `leaf:3`, in order, with the server's ids. */
  lists(uid: string, id: number): Promise<ReadonlyMap<string, readonly string[]>>;
  close(): Promise<void>;
}

interface Answered {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>> & { readonly __type?: string };
}

function memberOf(uid: string, name: string, { id, attributes }: Answered): string {
  const attribute = types.types[uid]?.attributes[name];
  const target = attribute?.type === 'relation' ? attribute.target : undefined;
  return `${target ?? attributes.__type?.split('.').at(-1)}:${id}`;
}

export async function serveRelations(engine: Dialect): Promise<RelationServer> {
  const folder = await temporaryFolder();
  const database =
    engine === 'sqlite'
      ? await sqliteDatabase(join(folder.path, 'relations.db'))
      : await createDatabase(engine, `served_relations_${process.pid}_${threadId}`);
  const server = await serveProject(SCHEMA, { environment: { DATABASE_URL: database.url } });
  const ask = async (method: string, path: string, data?: object) => {
    const response = await fetch(`${server.origin}/api/${path}`, {
      method,
      ...(data && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ data }) }),
    });
    const body = (await response.json()) as { data: Answered | null };
    return { status: response.status, entry: body.data };
  };
  return {
    server,
    database,
    async send(method, uid, id, data) {
      const path = `${PATHS[uid]}${id === undefined ? '' : `/${id}`}`;
      const { status, entry } = await ask(method, path, data);
      return { status, id: entry?.id ?? 0 };
    },
    async lists(uid, id) {
      const { entry } = await ask('GET', `${PATHS[uid]}/${id}?populate=*`);
      const lists = new Map<string, readonly string[]>();
      for (const [name, value] of Object.entries(entry?.attributes ?? {})) {
        if (typeof value !== 'object' || value === null || !('data' in value)) continue;
        const data = (value as { data: Answered | readonly Answered[] | null }).data;
        lists.set(
          name,
          [data ?? []].flat().map((member) => memberOf(uid, name, member)),
        );
      }
      return lists;
    },
    async close() {
      await server.close();
      await database.drop();
      await folder.remove();
    },
  };
}
