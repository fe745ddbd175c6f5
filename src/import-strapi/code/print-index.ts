/** The `index.ts` of the extensions: what the translated modules are for. */

export interface Wiring {
  /** Lines at the top. */
  readonly imports: Set<string>;
  /** Type → hook → functions. */
  readonly hooks: Map<string, Map<string, string[]>>;
  /** Type → action → how it is wrapped. */
  readonly actions: Map<string, Map<string, string>>;
  /** What stands in place of generated actions: `article.find` → function, and the route. */
  readonly replaced: Map<string, { readonly work: string; readonly route: readonly [string, string] }>;
  readonly endpoints: string[];
  readonly routes: string[];
  readonly middleware: string[];
  readonly onStart: string[];
  readonly onStop: string[];
  /** Names from the support module. */
  readonly used: Set<string>;
}

export function emptyWiring(): Wiring {
  return {
    imports: new Set(),
    hooks: new Map(),
    actions: new Map(),
    replaced: new Map(),
    endpoints: [],
    routes: [],
    middleware: [],
    onStart: [],
    onStop: [],
    used: new Set(),
  };
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : `'${name}'`;
}

function hooksText({ hooks, used }: Wiring): string {
  if (hooks.size === 0) return '';
  used.add('hook');
  const types = [...hooks].map(([type, own]) => {
    const each = [...own].map(([name, functions]) => `${name}: hook(${functions.join(', ')})`);
    return `${key(type)}: { ${each.join(', ')} }`;
  });
  return `hooks: { ${types.join(', ')} },\n`;
}

function actionsText({ actions, used }: Wiring): string {
  if (actions.size === 0) return '';
  used.add('action');
  const types = [...actions].map(([type, own]) => {
    const each = [...own].map(([name, value]) => `${name}: action(${value})`);
    return `${key(type)}: { ${each.join(', ')} }`;
  });
  return `actions: { ${types.join(', ')} },\n`;
}

/** Routes of `router`. Those of entries come last: their path would also match others. */
function routesText({ routes, replaced, used }: Wiring): string {
  if (routes.length === 0 && replaced.size === 0) return '';
  const own = [...replaced].map(([permission, { work, route }]) => {
    used.add('handler').add('permitted');
    return `router.${route[0]}('${route[1]}', permitted('${permission}'), handler(services, ${work}));`;
  });
  const lines = [...routes.map((one) => `${one}(router, services);`), ...own];
  return `routes(router, services) {\n${lines.join('\n')}\n},\n`;
}

export function indexText(wiring: Wiring): string {
  const { endpoints, middleware, onStart, onStop, used, imports } = wiring;
  const parts = [
    hooksText(wiring),
    actionsText(wiring),
    endpoints.length > 0 ? `endpoints: (tools) => [${endpoints.map((one) => `...${one}(tools)`).join(', ')}],\n` : '',
    routesText(wiring),
    middleware.length > 0 ? `middleware: [${middleware.join(', ')}],\n` : '',
    onStart.length > 0 ? `async onStart(services) {\n${onStart.join('\n')}\n},\n` : '',
    onStop.length > 0 ? `async onStop(services) {\n${onStop.join('\n')}\n},\n` : '',
  ];
  const support = used.size === 0 ? [] : [`import { ${[...used].sort().join(', ')} } from './from-strapi.ts';`];
  const lines = ["import { defineExtensions } from '../generated/extensions.ts';", ...[...imports].sort(), ...support];
  return `${lines.join('\n')}\n\nexport default defineExtensions({\n${parts.join('')}});\n`;
}
