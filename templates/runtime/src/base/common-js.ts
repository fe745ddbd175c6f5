/**
 * CommonJS packages, loaded by `require`. With `import`, Node would first scan each of their files for its exports,
 * which slows down the start.
 */
import type RouterClass from '@koa/router';
import type KoaClass from 'koa';
import type { DefaultContext, DefaultState } from 'koa';
import type { pino as Pino } from 'pino';
import { loadPackage } from './load-package.ts';

export const Koa = loadPackage('koa', () => require('koa')) as typeof KoaClass;
export type Koa = KoaClass;

const router = loadPackage('@koa/router', () => require('@koa/router')) as { readonly default: typeof RouterClass };
export const Router: typeof RouterClass = router.default;
export type Router<State = DefaultState, Context = DefaultContext> = RouterClass<State, Context>;

export const { pino } = loadPackage('pino', () => require('pino')) as { readonly pino: typeof Pino };
