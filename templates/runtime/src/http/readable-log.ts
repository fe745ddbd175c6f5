/** Formats log lines for people, on a terminal during development. */
import { styleText } from 'node:util';
import { printable } from '../base/printable.ts';
import type { LogOutput } from './log-output.ts';

type Style = Parameters<typeof styleText>[0];
type Line = Readonly<Record<string, unknown>>;

const LEVELS: ReadonlyMap<unknown, readonly [name: string, style: Style]> = new Map<unknown, readonly [string, Style]>([
  [10, ['trace', 'dim']],
  [20, ['debug', 'dim']],
  [30, ['info', 'cyan']],
  [40, ['warn', 'yellow']],
  [50, ['error', 'red']],
  [60, ['fatal', 'red']],
]);

/** Members that are not listed as `key=value`: shown otherwise, or not at all. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'err', 'requestId']);

function clock(time: unknown): string {
  const date = new Date(typeof time === 'string' || typeof time === 'number' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toTimeString().slice(0, 8);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return printable(value);
  return JSON.stringify(value) ?? '';
}

function statusStyle(status: unknown): Style {
  const number = Number(status);
  if (number >= 500) return 'red';
  return number >= 400 ? 'yellow' : 'green';
}

/** `GET /api/articles 200 4.2 ms` */
function requestText({ method, path, status, milliseconds }: Line): string {
  const time = styleText('dim', `${shown(milliseconds)} ms`);
  return `${shown(method).padEnd(6)} ${shown(path)} ${styleText(statusStyle(status), shown(status))} ${time}`;
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown };
  const text = shown(stack ?? message);
  return text === '' ? '' : `\n${text.replace(/^/gm, '    ')}`;
}

function detailsText(line: Line): string {
  const rest = Object.entries(line).filter(([key]) => !SHOWN_ELSEWHERE.has(key));
  return rest.map(([key, value]) => styleText('dim', ` ${key}=${shown(value)}`)).join('');
}

/** Formats a JSON line. Returns any other line unchanged. */
export function readableLine(json: string): string {
  let line: Line;
  try {
    line = JSON.parse(json) as Line;
  } catch {
    return json;
  }
  const [name, style] = LEVELS.get(line['level']) ?? [shown(line['level']), 'cyan'];
  const head = `${styleText('dim', clock(line['time']))} ${styleText(style, name.padEnd(5))}`;
  if (line['msg'] === 'request') return `${head} ${requestText(line)}\n`;
  return `${head} ${shown(line['msg'])}${detailsText(line)}${errorText(line['err'])}\n`;
}

/** Formats lines before writing them to `output`. */
export function readableOutput(output: LogOutput): LogOutput {
  return { ...output, write: (line) => output.write(readableLine(line)) };
}
