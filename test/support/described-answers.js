// Checks responses against openapi.json: each must be described, and contain no undescribed members.
import { Ajv2020 } from 'ajv/dist/2020.js';

/** @typedef {Readonly<Record<string, any>>} Json */
/** @typedef {{ readonly method: string, readonly path: string, readonly status: number, readonly body: string }} Answer */

/**
 * A copy of a schema in which objects allow only the described members.
 * @param {any} schema
 * @returns {any}
 */
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isObject = [schema.type].flat().includes('object') && typeof schema.properties === 'object';
  return isObject && !('additionalProperties' in schema) ? { ...copy, additionalProperties: false } : copy;
}

/** @param {string} text */
function pointer(text) {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** @param {Json} document @param {string} path */
function templateOf({ paths }, path) {
  if (Object.hasOwn(paths, path)) return path;
  const segments = path.split('/');
  return Object.keys(paths).find((template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
    );
  });
}

const FORMATS = {
  'date-time': /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u,
  date: /^\d{4,}-\d\d-\d\d$/u,
  time: /^\d\d:\d\d:\d\d(?:\.\d+)?$/u,
};

/**
 * Returns a function that says how a response differs from its description, or returns undefined. Schemas are compiled once.
 * @param {any} document
 * @returns {(answer: Answer) => string | undefined}
 */
export function answerCheck(document) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: FORMATS, logger: false });
  ajv.addSchema({ ...closed(document), $id: 'openapi' });
  /** @param {string} place */
  const validatorOf = (place) => {
    const validate = ajv.getSchema(`openapi#${place}`);
    if (!validate) throw new Error(`openapi.json has no ${place}`);
    return validate;
  };
  return ({ method, path, status, body }) => {
    const template = templateOf(document, path);
    const operation = template === undefined ? undefined : document.paths[template][method.toLowerCase()];
    // Only the API has operations. Responses that apply to all paths, such as 405, are in the description of the document.
    if (!path.startsWith('/api/')) return undefined;
    if (operation === undefined || status === 405) {
      return status < 400 ? `${method} ${path} answers ${status}, and is not described` : undefined;
    }
    const response = operation.responses[status];
    if (response === undefined) return `${method} ${template} answers ${status}, which is not described`;
    const place = response.$ref
      ? response.$ref.slice(1)
      : `/paths/${pointer(template ?? '')}/${method.toLowerCase()}/responses/${status}`;
    const described = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response;
    if (described.content === undefined) {
      return body === '' ? undefined : `${method} ${template} answers ${status} with a body, which is not described`;
    }
    const validate = validatorOf(`${place}/content/${pointer('application/json')}/schema`);
    if (validate(JSON.parse(body))) return undefined;
    const issues = (validate.errors ?? []).slice(0, 6).map(({ instancePath, message, params }) => {
      return `  ${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
    });
    return `${method} ${template} answers ${status} with what is not described:\n${issues.join('\n')}`;
  };
}
