/** What translating the files of a project shares. */
import { classify, targetOf } from './classify.ts';
import type { FileReport } from './code-report.ts';
import type { CodeSource } from './code-source.ts';
import type { FileContext, OwnModule, ProjectContext, Role } from './file-context.ts';
import { shapeOf } from './module-shape.ts';
import { hasDefault, isGenerated, type Parsed } from './parsed-file.ts';
import { emptyWiring, type Wiring } from './print-index.ts';
import { exportNames, ModulePrinter } from './print-module.ts';
import { typesOf } from './project-types.ts';
import { parseCode } from './syntax.ts';

/** The translation of a project: what it starts from, and what it has written so far. */
export class Translation {
  readonly source: CodeSource;
  readonly parsed = new Map<string, Parsed>();
  readonly context: ProjectContext;
  readonly wiring: Wiring = emptyWiring();
  readonly files = new Map<string, string>();
  readonly reports: FileReport[] = [];
  readonly packages = new Set<string>();
  readonly decisions: string[] = [];
  readonly carried = new Set<string>();

  constructor(source: CodeSource) {
    this.source = source;
    for (const [path, text] of source.files) {
      const file = classify(path);
      if (!file || file.role === 'data') continue;
      const parsed = parseCode(path, text.replaceAll('@ts-expect-error', '@ts-ignore'));
      this.parsed.set(path, { ...file, source: parsed, shape: shapeOf(parsed) });
    }
    this.context = {
      major: source.project.major,
      types: typesOf(source.project, source.names),
      services: this.#modulesOf('service'),
      controllers: this.#modulesOf('controller'),
      withDefault: new Set(
        [...source.files.keys()].filter(
          (path) =>
            path.endsWith('.json') || [this.parsed.get(path)].some((one) => one !== undefined && hasDefault(one)),
        ),
      ),
      modules: new Map([...source.files.keys()].map((path) => [path, this.#moduleOf(path)])),
    };
  }

  /** What a file becomes; undefined if that is nothing. */
  #moduleOf(path: string): string | undefined {
    const role = classify(path)?.role;
    if (role === undefined || role === 'settings' || role === 'test' || role === 'plugin') return undefined;
    const parsed = this.parsed.get(path);
    return parsed && role !== 'helper' && isGenerated(parsed) ? undefined : targetOf(path);
  }

  #modulesOf(role: Role): ReadonlyMap<string, OwnModule> {
    const own = [...this.parsed.values()].filter(
      (one) => one.role === role && one.uid !== undefined && !isGenerated(one),
    );
    return new Map(
      own.flatMap(({ uid, path, shape, source }) =>
        uid === undefined
          ? []
          : [[uid, { path: targetOf(path), names: new Set(exportNames(source, shape).keys()) }] as const],
      ),
    );
  }

  fileContext({ path, role, uid, source, shape }: Parsed): FileContext {
    return {
      ...this.context,
      path,
      target: targetOf(path),
      role: role as Role,
      uid: shape.uid ?? uid,
      methods: exportNames(source, shape),
    };
  }

  /** Writes what a file becomes, and reports it. */
  print(file: Parsed, body: (printer: ModulePrinter) => string, note?: string): void {
    const context = this.fileContext(file);
    const printer = new ModulePrinter(file.source, context);
    const printed = body(printer);
    this.files.set(context.target, printer.finish(printed));
    for (const one of printer.imports.packages) this.packages.add(one);
    const { marks, notes } = printer.rewriter;
    if (note !== undefined) notes.add(note);
    this.report(file.path, context.target, marks, [...notes]);
  }

  report(file: string, module: string, marks: FileReport['marks'], notes: readonly string[]): void {
    this.reports.push({ file, module, outcome: marks.length > 0 ? 'partly' : 'translated', marks, notes });
  }

  /** Reports a file that becomes nothing. */
  leave({ path }: Parsed, outcome: FileReport['outcome'], ...notes: readonly string[]): void {
    this.reports.push({ file: path, module: undefined, outcome, marks: [], notes });
  }

  /** Imports a module in `index.ts`, and returns its name there. */
  importAll(target: string, suffix: string): string {
    const base = target
      .replace(/\.ts$/u, '')
      .replace(/^api\//u, '')
      .split('/')
      .filter((part) => !['controllers', 'content-types', 'routes'].includes(part));
    const parts = [...new Set(base)]
      .join('-')
      .split(/[^A-Za-z0-9]+/u)
      .filter((part) => part !== '');
    const camel = parts
      .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
      .join('');
    const name = /^\d/u.test(camel) ? `_${camel}${suffix}` : `${camel}${suffix}`;
    this.wiring.imports.add(`import * as ${name} from './${target}';`);
    return name;
  }

  /** Adds what runs at a hook of a type. */
  hook(type: string, hook: string, text: string): void {
    const own = this.wiring.hooks.get(type) ?? new Map<string, string[]>();
    own.set(hook, [...(own.get(hook) ?? []), text]);
    this.wiring.hooks.set(type, own);
  }

  /** The module of a policy or a middleware, by its name or uid. */
  guard(kind: 'policy' | 'middleware', name: string, api: string): string | undefined {
    const uids = name.includes('::') ? [name] : [`api::${api}.${name}`, `global::${name}`];
    const file = [...this.parsed.values()].find(
      (one) => one.role === kind && one.uid !== undefined && uids.includes(one.uid),
    );
    return file && targetOf(file.path);
  }
}
