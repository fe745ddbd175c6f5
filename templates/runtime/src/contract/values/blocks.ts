/**
 * Structured rich text of `blocks` attributes: an array of block nodes, as block editors write it. Unknown members of nodes are
 * kept.
 */
import type { ErrorPath, Issue } from '../errors.ts';
import { type CastResult, err, ok } from './cast-result.ts';
import { jsonProblem, type JsonValue } from './json.ts';

type Node = Readonly<Record<string, unknown>>;
type CheckNode = (node: Node, path: ErrorPath, issues: Issue[]) => void;

const MODIFIERS = ['bold', 'italic', 'underline', 'strikethrough', 'code'];
const HEADING_LEVELS: readonly unknown[] = [1, 2, 3, 4, 5, 6];
const LIST_FORMATS: readonly unknown[] = ['ordered', 'unordered'];

/** Following a link with one of these runs its content. */
const SCRIPT_PROTOCOLS = ['javascript:', 'vbscript:', 'data:'];

const BLOCKS: ReadonlyMap<unknown, CheckNode> = new Map([
  ['paragraph', checkInlineChildren],
  ['quote', checkInlineChildren],
  ['code', checkInlineChildren],
  ['heading', checkHeading],
  ['list', checkList],
  ['image', checkImage],
]);
const INLINE: ReadonlyMap<unknown, CheckNode> = new Map([
  ['text', checkText],
  ['link', checkLink],
]);
const TEXT: ReadonlyMap<unknown, CheckNode> = new Map([['text', checkText]]);
const LIST_CHILDREN: ReadonlyMap<unknown, CheckNode> = new Map([
  ['list-item', checkInlineChildren],
  ['list', checkList],
]);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkNodes(kinds: ReadonlyMap<unknown, CheckNode>, nodes: unknown, path: ErrorPath, issues: Issue[]): void {
  if (!Array.isArray(nodes)) {
    issues.push({ path, message: 'must be an array of nodes' });
    return;
  }
  for (const [index, node] of (nodes as readonly unknown[]).entries()) {
    const here = [...path, String(index)];
    const check = isNode(node) ? kinds.get(node['type']) : undefined;
    if (check) check(node as Node, here, issues);
    else issues.push({ path: here, message: `must be a node of type ${[...kinds.keys()].join(', ')}` });
  }
}

function checkInlineChildren(node: Node, path: ErrorPath, issues: Issue[]): void {
  checkNodes(INLINE, node['children'], [...path, 'children'], issues);
}

function checkHeading(node: Node, path: ErrorPath, issues: Issue[]): void {
  if (!HEADING_LEVELS.includes(node['level'])) {
    issues.push({ path: [...path, 'level'], message: `must be one of ${HEADING_LEVELS.join(', ')}` });
  }
  checkInlineChildren(node, path, issues);
}

function checkList(node: Node, path: ErrorPath, issues: Issue[]): void {
  if (!LIST_FORMATS.includes(node['format'])) {
    issues.push({ path: [...path, 'format'], message: `must be one of ${LIST_FORMATS.join(', ')}` });
  }
  checkNodes(LIST_CHILDREN, node['children'], [...path, 'children'], issues);
}

function checkImage(node: Node, path: ErrorPath, issues: Issue[]): void {
  const image = node['image'];
  if (!isNode(image)) issues.push({ path: [...path, 'image'], message: 'must be an object' });
  else if (!isSafeUrl(image['url'])) issues.push({ path: [...path, 'image', 'url'], message: 'must be a valid URL' });
  checkNodes(TEXT, node['children'], [...path, 'children'], issues);
}

function checkText(node: Node, path: ErrorPath, issues: Issue[]): void {
  if (typeof node['text'] !== 'string') issues.push({ path: [...path, 'text'], message: 'must be a string' });
  for (const modifier of MODIFIERS) {
    if (node[modifier] !== undefined && typeof node[modifier] !== 'boolean') {
      issues.push({ path: [...path, modifier], message: 'must be true or false' });
    }
  }
}

function checkLink(node: Node, path: ErrorPath, issues: Issue[]): void {
  if (!isSafeUrl(node['url'])) issues.push({ path: [...path, 'url'], message: 'must be a valid URL' });
  checkNodes(TEXT, node['children'], [...path, 'children'], issues);
}

/** Whether a value is an absolute URL, or an absolute path, that can't run a script. */
function isSafeUrl(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const base = value.startsWith('/') ? 'https://host.invalid' : undefined;
  return URL.canParse(value, base) && !SCRIPT_PROTOCOLS.includes(new URL(value, base).protocol);
}

/** The errors in a `blocks` value, each with its path below `path` and a predicate as the message. */
export function checkBlocks(value: unknown, path: ErrorPath): readonly Issue[] {
  const problem = jsonProblem(value);
  if (problem !== undefined) return [{ path, message: problem }];
  const issues: Issue[] = [];
  checkNodes(BLOCKS, value, path, issues);
  return issues;
}

/** The unchanged value if it is an array of valid block nodes; otherwise the first error. */
export function castBlocks(value: unknown): CastResult<JsonValue> {
  const [issue] = checkBlocks(value, []);
  if (!issue) return ok(value as JsonValue);
  return err(
    issue.path.length === 0 ? issue.message : `must hold valid nodes: ${issue.path.join('.')} ${issue.message}`,
  );
}
