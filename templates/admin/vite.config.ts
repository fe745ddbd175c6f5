import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Path at which generated servers serve the admin panel. */
const BASE = '/admin/';

/** Modules of packages, by path, that the panel replaces by smaller ones: each project has a copy of the panel. */
const REPLACED: Readonly<Record<string, string>> = {
  // What react-admin exports lists with by default: the lists of the panel have an exporter of their own.
  '/node_modules/jsonexport/': 'export default undefined;',
  // Fills in for browsers without `Object.entries`, by a dozen packages.
  '/node_modules/object.entries/index.js': 'module.exports = Object.entries;',
  // Removes accents, by a table of them.
  '/node_modules/diacritic/diacritics.js':
    "exports.clean = (text) => text.normalize('NFKD').replaceAll(/\\p{M}/gu, '');",
  // Sample content and openapi.json are made elsewhere, by other members of the attribute types.
  '/contract/values/random.ts':
    'export const randomProse = undefined, randomSuffix = undefined, randomTitle = undefined, randomWords = undefined;',
  '/contract/values/blocks-schemas.ts': 'export const BLOCKS_SCHEMAS = undefined;',
};

const withSmallerModules: Plugin = {
  name: 'with-smaller-modules',
  enforce: 'pre',
  load: (id) => Object.entries(REPLACED).find(([path]) => id.includes(path))?.[1],
};

export default defineConfig({
  base: BASE,
  plugins: [react(), withSmallerModules],
  build: {
    target: ['es2023', 'chrome111', 'firefox114', 'safari16.4'],
    // CSP forbids inline scripts, and all supported browsers implement modulepreload.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
  // For `npm run dev`: requests go to the server of a project.
  server: {
    proxy: {
      '/api': process.env['API'] ?? 'http://127.0.0.1:1337',
      '/uploads': process.env['API'] ?? 'http://127.0.0.1:1337',
    },
  },
});
