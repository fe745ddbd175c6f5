/** `package.json` of a project started by `init`: it depends on content-gen, and its scripts build the schema. */
import type { Json } from '../json.ts';

type Members = { readonly [key: string]: Json | undefined };

/** Defaults of `npm init`, which may be replaced. */
const PLACEHOLDERS: Members = {
  type: 'commonjs',
  test: 'echo "Error: no test specified" && exit 1',
};

const SCRIPTS: Readonly<Record<string, string>> = {
  dev: 'content-gen build --watch --serve',
  generate: 'content-gen build',
  serve: 'tsx watch --conditions=content-gen-source src/main.ts',
};

export interface StarterPackage {
  readonly package: Members;
  /** What was added to an existing package.json: `scripts.dev`. */
  readonly added: readonly string[];
}

function isMap(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds what is missing in `own` and replaces placeholders; appends the paths of these changes to `added`. */
function merge(own: Members, further: Members, path: string, added: string[]): Members {
  const merged: Record<string, Json | undefined> = { ...own };
  for (const [key, value] of Object.entries(further)) {
    const before = own[key];
    if (isMap(before) && isMap(value)) {
      merged[key] = merge(before, value, `${path}${key}.`, added);
    } else if (before === undefined || before === PLACEHOLDERS[key]) {
      merged[key] = value;
      added.push(`${path}${key}`);
    }
  }
  return merged;
}

/**
 * `generated` is the package.json that every build writes, `own` the existing one, `contentGen` the npm specifier of
 * content-gen.
 */
export function starterPackage(generated: Members, own: Members | undefined, contentGen: string): StarterPackage {
  const { scripts, devDependencies } = generated;
  const isKnown = isMap(own?.['dependencies']) && own['dependencies']['content-gen'] !== undefined;
  const whole: Members = {
    ...generated,
    scripts: { ...(scripts as Members), ...SCRIPTS },
    devDependencies: { ...(isKnown ? {} : { 'content-gen': contentGen }), ...(devDependencies as Members) },
  };
  const added: string[] = [];
  return own === undefined ? { package: whole, added } : { package: merge(own, whole, '', added), added };
}
