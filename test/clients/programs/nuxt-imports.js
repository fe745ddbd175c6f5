// What Nuxt gives to composables, as `#imports`.
import { ref } from 'vue';

export const runtime = { strapi: {} };
const app = { hooks: { callHook: (name, error) => app.errors.push([name, error.error.status]) }, errors: [] };
const states = new Map();

export const useRuntimeConfig = () => ({ ...runtime, public: runtime });
export const useNuxtApp = () => app;
export const useState = (key) => states.get(key) ?? states.set(key, ref(null)).get(key);
export const useCookie = () => ref(null);
export { useStrapiClient } from './node_modules/@nuxtjs/strapi/dist/runtime/composables/useStrapiClient.js';
