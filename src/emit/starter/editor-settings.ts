/** VS Code settings for a new project: validation of the schema, and a task whose messages appear in the editor. */
import type { Json } from '../json.ts';

const SETTINGS: Json = {
  'files.readonlyInclude': { 'src/generated/**': true, 'runtime/**': true, 'migrations/**/plan.json': true },
  'search.exclude': { 'runtime/**': true, 'openapi.json': true, 'content-gen.*.json': true },
  'typescript.tsdk': 'node_modules/typescript/lib',
};

const EXTENSIONS: Json = { recommendations: ['redhat.vscode-yaml'] };

/** Matches `schema.yaml:6:9: error schema/unknown-value: …` */
const MATCHER: Json = {
  owner: 'content-gen',
  fileLocation: ['relative', '${workspaceFolder}'],
  pattern: {
    regexp: '^(.+?):(\\d+):(\\d+): (error|warning|info) (\\S+): (.*)$',
    file: 1,
    line: 2,
    column: 3,
    severity: 4,
    code: 5,
    message: 6,
  },
  background: {
    activeOnStart: true,
    beginsPattern: '^\\[[\\d:]+\\] Building',
    endsPattern: '^\\[[\\d:]+\\] .* Watching ',
  },
};

const TASKS: Json = {
  version: '2.0.0',
  tasks: [
    {
      label: 'dev',
      detail: 'Builds the schema after each change, and runs the server',
      type: 'npm',
      script: 'dev',
      isBackground: true,
      problemMatcher: MATCHER,
      group: { kind: 'build', isDefault: true },
      presentation: { panel: 'dedicated' },
    },
  ],
};

/** File contents by path within the project. */
export const EDITOR_SETTINGS: Readonly<Record<string, Json>> = {
  '.vscode/extensions.json': EXTENSIONS,
  '.vscode/settings.json': SETTINGS,
  '.vscode/tasks.json': TASKS,
};
