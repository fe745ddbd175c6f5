/** Example requests, ready to paste into a shell. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import type { Attribute, ContentModel, ContentType, JsonValue } from '../model/content-model.ts';
import { sampleBody, sampleIds, sampleValue } from './sample-body.ts';
import type { Section } from './section.ts';

const ORIGIN = 'http://127.0.0.1:1337';

/** Quotes a string as a shell word. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function get(path: string): string {
  return `curl -sg ${shellWord(`${ORIGIN}${path}`)}`;
}

function send(method: 'POST' | 'PUT', path: string, data: unknown): string {
  const body = shellWord(JSON.stringify({ data }));
  return `curl -s -X ${method} ${ORIGIN}${path} -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" -d ${body}`;
}

export function explainRequests(model: ContentModel, type: ContentType, attribute?: Attribute): readonly Section[] {
  if (type.builtIn) return [];
  const lines = attribute === undefined ? typeRequests(model, type) : attributeRequests(model, type, attribute);
  const token = 'TOKEN=$(npm run --silent server -- token create --name example --type full-access)';
  const isWrite = lines.some((line) => line.includes('$TOKEN'));
  return [{ title: 'Requests to copy', rows: [...(isWrite ? [[token]] : []), ...lines.map((line) => [line])] }];
}

function isSingle({ kind }: ContentType): boolean {
  return kind === 'singleType';
}

function entryPath(model: ContentModel, type: ContentType): string {
  return isSingle(type) ? `/api/${type.route}` : `/api/${type.route}/${sampleIds(model).first}`;
}

function writeRequest(model: ContentModel, type: ContentType, further: readonly Attribute[] = []): string {
  return isSingle(type)
    ? send('PUT', entryPath(model, type), sampleBody(model, type, further))
    : send('POST', `/api/${type.route}`, sampleBody(model, type, further));
}

function typeRequests(model: ContentModel, type: ContentType): readonly string[] {
  const list = isSingle(type) ? [] : [get(`/api/${type.route}?sort=id:desc&pagination[pageSize]=10`)];
  return [...list, get(`${entryPath(model, type)}?populate=*`), writeRequest(model, type)];
}

function attributeRequests(model: ContentModel, type: ContentType, attribute: Attribute): readonly string[] {
  const reads = isSingle(type) || isHidden(attribute) ? [] : readRequests(model, type, attribute);
  const writes = attribute.writable ? [writeRequest(model, type, [attribute]), ...moves(model, type, attribute)] : [];
  return [...reads, ...writes];
}

function isHidden(attribute: Attribute): boolean {
  return attribute.private || (attribute.kind === 'scalar' && attributeType(attribute.type).isSecret === true);
}

function readRequests(model: ContentModel, type: ContentType, attribute: Attribute): readonly string[] {
  const path = `/api/${type.route}`;
  const { name } = attribute;
  const { key, first } = sampleIds(model);
  if (attribute.kind !== 'scalar') {
    const filter = attribute.kind === 'relation' && !isPolymorphic(attribute.relation);
    return [
      get(`${path}?populate=${name}`),
      ...(filter ? [get(`${path}?filters[${name}][${key}][$eq]=${first}`)] : []),
    ];
  }
  if (attributeType(attribute.type).operators === 'presence') return [get(`${path}?filters[${name}][$notNull]=true`)];
  const value = encodeURIComponent(textOf(sampleValue(model, attribute)));
  return [
    get(`${path}?fields=${name}`),
    get(`${path}?filters[${name}][$eq]=${value}`),
    get(`${path}?sort=${name}:desc`),
  ];
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Changes that only to-many relations support. */
function moves(model: ContentModel, type: ContentType, attribute: Attribute): readonly string[] {
  if (attribute.kind !== 'relation' || !attribute.many || isPolymorphic(attribute.relation)) return [];
  const { key, first, second } = sampleIds(model);
  const change = (value: unknown) => send('PUT', entryPath(model, type), { [attribute.name]: value });
  return [
    change({ connect: [{ [key]: second, position: { before: first } }] }),
    change({ disconnect: [first] }),
    change({ set: [second, first] }),
  ];
}
