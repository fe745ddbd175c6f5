/** Finds code and settings of a Strapi project that a schema cannot express and that have to be rewritten by hand. */
import { apiLimits } from '#contract/api-settings.ts';
import { type Finding, isMembers, member, type Members } from './strapi-project.ts';

/**
 * A kind of project code, recognized by file path. `isOwn`: whether the file contains more than what Strapi generates.
 */
interface CodeKind {
  readonly pattern: RegExp;
  readonly message: string;
  readonly isOwn?: (text: string) => boolean;
  readonly kind?: Finding['kind'];
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, '').trim();
}

/** `module.exports = createCoreController('api::article.article');` and nothing else. */
const GENERATED = /createCore(?:Controller|Router|Service)\(\s*['"][^'"]+['"]\s*\)/u;

function isMoreThanGenerated(text: string): boolean {
  const code = withoutComments(text);
  return code !== '' && !(GENERATED.test(code) && code.length < 250);
}

/** Functions with an empty body, as in a new project. */
const EMPTY_FUNCTIONS = /(?:register|bootstrap|destroy)\s*\([^)]*\)\s*\{\s*\}/gu;

function startsSomething(text: string): boolean {
  const code = withoutComments(text).replaceAll(EMPTY_FUNCTIONS, '');
  return /(?:register|bootstrap|destroy)\s*(?:\(|:)/u.test(code);
}

const SCRIPT = String.raw`\.(?:js|mjs|cjs|ts)$`;

const OWN_CODE = new RegExp(String.raw`^src/(?!plugins/).+${SCRIPT}`, 'u');

const KINDS: readonly CodeKind[] = [
  {
    pattern: new RegExp(String.raw`^src/api/[^/]+/content-types/[^/]+/lifecycles${SCRIPT}`, 'u'),
    message: 'lifecycle code: rewrite it as hooks in src/extensions/',
  },
  {
    pattern: new RegExp(String.raw`^src/api/[^/]+/controllers/.+${SCRIPT}`, 'u'),
    message: 'custom controller: rewrite it as an endpoint or hooks in src/extensions/',
    isOwn: isMoreThanGenerated,
  },
  {
    pattern: new RegExp(String.raw`^src/api/[^/]+/services/.+${SCRIPT}`, 'u'),
    message: 'custom service: move its code to functions in src/extensions/',
    isOwn: isMoreThanGenerated,
  },
  {
    pattern: new RegExp(String.raw`^src/api/[^/]+/routes/.+${SCRIPT}`, 'u'),
    message: 'custom routes: rewrite them as endpoints in src/extensions/',
    isOwn: isMoreThanGenerated,
  },
  {
    pattern: new RegExp(String.raw`^src/(?:api/[^/]+/|extensions/[^/]+/)?policies/.+${SCRIPT}`, 'u'),
    message: 'policy: replace it by permissions, or rewrite it as a hook in src/extensions/',
  },
  {
    pattern: new RegExp(String.raw`^src/(?:api/[^/]+/|extensions/[^/]+/)?middlewares/.+${SCRIPT}`, 'u'),
    message: 'middleware: rewrite it as middleware in src/extensions/',
  },
  {
    pattern: new RegExp(String.raw`^src/extensions/[^/]+/strapi-server${SCRIPT}`, 'u'),
    message: 'code that extends a plugin: check whether you need it',
  },
  {
    pattern: new RegExp(String.raw`^src/plugins/[^/]+/(?:strapi-server|server/(?:src/)?index|package)\.\w+$`, 'u'),
    message: 'local plugin: not supported',
  },
  {
    pattern: new RegExp(String.raw`^src/index${SCRIPT}`, 'u'),
    message: 'code that runs at startup: move it to onStart in src/extensions/',
    isOwn: startsSomething,
  },
  {
    pattern: new RegExp(String.raw`^config/(?:env/[^/]+/)?cron-tasks${SCRIPT}`, 'u'),
    message: 'scheduled tasks: start them from onStart in src/extensions/, or with cron',
  },
  {
    pattern: new RegExp(String.raw`^config/(?:env/[^/]+/)?plugins${SCRIPT}`, 'u'),
    message: 'settings of plugins: configure uploads, mail and accounts with environment variables, see .env.example',
    isOwn: (text) =>
      !/^(?:module\.exports\s*=|export default)\s*(?:\(\s*\)\s*=>\s*)?\(?\s*\{\s*\}\s*\)?;?$/u.test(
        withoutComments(text),
      ),
    kind: 'decide',
  },
  {
    pattern: new RegExp(String.raw`^config/(?:env/[^/]+/)?middlewares${SCRIPT}`, 'u'),
    message: 'settings of middlewares: set body limits under `api:` in the schema, and CORS origins with CORS_ORIGINS',
    isOwn: (text) => /\{|config/u.test(withoutComments(text)),
    kind: 'decide',
  },
];

/** `rest.defaultLimit` and `rest.maxLimit` of config/api, which affect clients. */
function limitsIn(file: string, text: string): readonly Finding[] {
  const found = writtenLimits(file, text);
  if (/maxLimit/u.test(withoutComments(text))) return found;
  return [...found, { kind: 'decide', what: file, message: NO_LIMIT, place: file }];
}

const NO_LIMIT =
  'no maxLimit: Strapi answers pages of any size, and all entries for limit=-1. Here a page has at most 100 entries: if clients ask for more, write api: { maxPageSize: 1000 }';

function writtenLimits(file: string, text: string): readonly Finding[] {
  const words = [
    ['defaultLimit', 'defaultPageSize', 25],
    ['maxLimit', 'maxPageSize', 100],
  ] as const;
  return words.flatMap(([theirs, ours, usual]) => {
    const value = new RegExp(String.raw`${theirs}['"]?\s*:\s*(\d+)`, 'u').exec(withoutComments(text))?.[1];
    if (value === undefined || Number(value) === usual) return [];
    const [least, most] = apiLimits[ours];
    const possible = Math.min(Math.max(Number(value), least), most);
    const message = `${theirs}: ${value} changes the page size: write api: { ${ours}: ${possible} }`;
    return [{ kind: 'decide', what: file, message, place: file } as const];
  });
}

/** Strapi packages whose features every generated server has. */
const OWN_PACKAGES =
  /^@strapi\/(?:strapi|core|plugin-(?:users-permissions|i18n|cloud|upload|content-type-builder)|provider-)/u;

function packagesIn(packageJson: Members): readonly Finding[] {
  const dependencies = member(packageJson, 'dependencies');
  if (!isMembers(dependencies)) return [];
  return Object.keys(dependencies)
    .filter((name) => /strapi-plugin|strapi-provider|^@strapi\/plugin/u.test(name) && !OWN_PACKAGES.test(name))
    .sort()
    .map((name) => ({
      kind: 'unsupported',
      what: name,
      message: 'plugin: check what it does, and replace it if you need it',
      place: 'package.json',
    }));
}

const API_SETTINGS = new RegExp(String.raw`^config/(?:env/[^/]+/)?api${SCRIPT}`, 'u');

const QUERY = String.raw`(?:ctx|context)\.(?:request\.)?query`;

/** `ctx.query.page`, `ctx.query['page']` */
const MEMBER_OF_QUERY = new RegExp(String.raw`\b${QUERY}(?:\?\.|\.|\[['"])(?<name>\w+)`, 'gu');

/** `const { page = 1, sort: order } = ctx.query` */
const TAKEN_APART = new RegExp(String.raw`\{(?<names>[^{}]*)\}\s*(?::[^=;]*)?=\s*${QUERY}\b(?!\s*[.?[(])`, 'gu');

/** Parameters that the content API has, too. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  ...['fields', 'filters', 'locale', 'pagination', 'populate', 'publicationState', 'sort', 'status', '_q'],
  'hasOwnProperty',
]);

/** The query parameters that code reads, other than those of the content API. Sorted. */
function parametersIn(text: string): readonly string[] {
  const code = withoutComments(text);
  const members = [...code.matchAll(MEMBER_OF_QUERY)].map(({ groups }) => groups?.['name'] ?? '');
  const taken = [...code.matchAll(TAKEN_APART)].flatMap(({ groups }) =>
    (groups?.['names'] ?? '').split(',').flatMap((part) => /^\s*(?<name>\w+)/u.exec(part)?.groups?.['name'] ?? []),
  );
  return [...new Set([...members, ...taken])].filter((name) => !OWN_PARAMETERS.has(name)).sort();
}

function parameterFindings(file: string, text: string): readonly Finding[] {
  const names = parametersIn(text);
  if (names.length === 0) return [];
  const message = `reads the query parameters ${names.join(', ')}: clients that send them need an endpoint in src/extensions/`;
  return [{ kind: 'unsupported', what: file, message, place: file }];
}

/** Findings in the files of a project, outside its schemas. `read` returns the text of a file. */
export async function codeFindings(
  files: readonly string[],
  packageJson: Members,
  read: (file: string) => Promise<string>,
): Promise<readonly Finding[]> {
  const found: Finding[] = [...packagesIn(packageJson)];
  if (!files.some((file) => API_SETTINGS.test(file))) {
    found.push({ kind: 'decide', what: 'config/api', message: NO_LIMIT });
  }
  for (const file of files) {
    if (API_SETTINGS.test(file)) found.push(...limitsIn(file, await read(file)));
    if (OWN_CODE.test(file)) found.push(...parameterFindings(file, await read(file)));
    const code = KINDS.find(({ pattern }) => pattern.test(file));
    if (code === undefined || (code.isOwn && !code.isOwn(await read(file)))) continue;
    found.push({ kind: code.kind ?? 'unsupported', what: file, message: code.message, place: file });
  }
  return found;
}
