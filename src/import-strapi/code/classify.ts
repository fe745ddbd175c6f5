/** What the files of a project are, by their paths. */
import type { Role } from './file-context.ts';

export interface ClassifiedFile {
  readonly path: string;
  readonly role: Role | 'settings' | 'plugin' | 'test' | 'data';
  readonly uid: string | undefined;
}

const SCRIPT = String.raw`(?:js|cjs|mjs|ts|mts)`;

interface Pattern {
  readonly pattern: RegExp;
  readonly role: ClassifiedFile['role'];
}

function of(path: string, role: ClassifiedFile['role']): Pattern {
  return { pattern: new RegExp(String.raw`^${path}\.${SCRIPT}$`, 'u'), role };
}

const API = 'src/api/(?<api>[^/]+)';

const PATTERNS: readonly Pattern[] = [
  { pattern: /(?:^|\/)(?:__tests__|__mocks__|tests?)\/|\.(?:test|spec)\.|\.d\.ts$/u, role: 'test' },
  { pattern: /^src\/plugins\//u, role: 'plugin' },
  of(`${API}/controllers/(?<name>.+)`, 'controller'),
  of(`${API}/services/(?<name>.+)`, 'service'),
  of(`${API}/routes/.+`, 'routes'),
  of(`(?:${API}|src)/policies/(?<name>.+)`, 'policy'),
  of(`(?:${API}|src)/middlewares/(?<name>.+)`, 'middleware'),
  of(`${API}/content-types/(?<name>[^/]+)/lifecycles`, 'lifecycles'),
  of('src/extensions/users-permissions/(?:content-types/user/)?lifecycles', 'lifecycles'),
  of('src/extensions/users-permissions/strapi-server', 'users'),
  of('src/index', 'start'),
  of(String.raw`config/cron(?:[-_.]?\w+)*`, 'cron'),
  of(
    String.raw`config/(?:env/.+|server|database|admin|middlewares?|plugins?|api|features|hook|functions/.+)`,
    'settings',
  ),
  { pattern: new RegExp(String.raw`\.${SCRIPT}$`, 'u'), role: 'helper' },
  { pattern: /\.json$/u, role: 'data' },
];

export function classify(path: string): ClassifiedFile | undefined {
  for (const { pattern, role } of PATTERNS) {
    const groups = pattern.exec(path)?.groups;
    if (!pattern.test(path)) continue;
    const { api, name } = groups ?? {};
    const uid =
      role === 'lifecycles' && api === undefined
        ? 'plugin::users-permissions.user'
        : api && name
          ? `api::${api}.${name}`
          : undefined;
    return {
      path,
      role,
      uid: role === 'policy' || role === 'middleware' ? (api ? `api::${api}.${name}` : `global::${name}`) : uid,
    };
  }
  return undefined;
}

/** The path of a file within the extensions. */
export function targetOf(path: string): string {
  if (/^src\/index\.\w+$/u.test(path)) return 'start.ts';
  return path.replace(/^src\//u, '').replace(/\.(?:[cm]?js|m?ts|json)$/u, '.ts');
}
