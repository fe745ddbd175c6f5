/** `package.json` of a project that begins with `init`: content-gen is among its tools, and its scripts build the schema. */
import type { Json } from '../json.ts';

type Members = { readonly [key: string]: Json | undefined };

/** What `npm init` writes where nobody says anything. */
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
  /** What was added to the package.json that was there: `scripts.dev`. */
  readonly added: readonly string[];
}

function isMap(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds what is missing in `own`, and takes the place of placeholders; notes what it did by path. */
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
 * `generated` is the package.json that each build writes, `own` the one that is there already, `contentGen` where content-gen comes
 * from, as npm names it.
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
