import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Path at which generated servers serve the admin panel. */
const BASE = '/admin/';

/** Leaves out what react-admin exports lists with by default: the lists of the panel have an exporter of their own. */
const withoutDefaultExporter: Plugin = {
  name: 'without-default-exporter',
  enforce: 'pre',
  load: (id) => (id.includes('/node_modules/jsonexport/') ? 'export default undefined;' : undefined),
};

export default defineConfig({
  base: BASE,
  plugins: [react(), withoutDefaultExporter],
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
