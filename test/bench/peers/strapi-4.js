// Strapi 4, with its drivers.
import { strapi } from './strapi.js';

export const strapi4 = strapi({
  title: 'Strapi 4',
  dependencies: {
    '@strapi/strapi': '4.26.2',
    'better-sqlite3': '8.6.0',
    pg: '8.11.3',
    react: '18.3.1',
    'react-dom': '18.3.1',
    'react-router-dom': '5.3.4',
    'styled-components': '5.3.11',
  },
  // Its own version downloads libvips while it is installed; this one comes with it. No image is resized here.
  overrides: { sharp: '0.33.5' },
  keysOf: () => (_, number) => number,
  idName: 'id',
});
