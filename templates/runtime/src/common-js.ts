/**
 * Packages that are CommonJS down to what they depend on, loaded as such. Imported, each file would be scanned for the names
 * that it exports before it runs, which a start would wait for.
 */
import { createRequire } from 'node:module';
import type RouterClass from '@koa/router';
import type KoaClass from 'koa';
import type { DefaultContext, DefaultState } from 'koa';
import type { pino as Pino } from 'pino';

const require = createRequire(import.meta.url);

export const Koa: typeof KoaClass = require('koa') as typeof KoaClass;
export type Koa = KoaClass;

export const Router: typeof RouterClass = (require('@koa/router') as { readonly default: typeof RouterClass }).default;
export type Router<State = DefaultState, Context = DefaultContext> = RouterClass<State, Context>;

export const pino: typeof Pino = (require('pino') as { readonly pino: typeof Pino }).pino;
