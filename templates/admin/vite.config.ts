import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where generated servers have the page. */
const BASE = '/admin/';

export default defineConfig({
  base: BASE,
  plugins: [react()],
  build: {
    target: ['es2023', 'chrome111', 'firefox114', 'safari16.4'],
    // The policy of the page allows no inline script, and its browsers know what this would replace.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
  // While the page is worked on: `npm run dev`, with a server of a project beside it.
  server: {
    proxy: {
      '/api': process.env['API'] ?? 'http://127.0.0.1:1337',
      '/uploads': process.env['API'] ?? 'http://127.0.0.1:1337',
    },
  },
});
