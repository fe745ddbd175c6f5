import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Path at which generated servers serve the admin panel. */
const BASE = '/admin/';

export default defineConfig({
  base: BASE,
  plugins: [react()],
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
