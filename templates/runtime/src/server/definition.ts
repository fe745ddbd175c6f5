/** What a server is made from: its project and its team's code. */
import type { Router } from '../base/common-js.ts';
import type { AdminSettings } from '../contract/admin.ts';
import type { ApiSettings, ContentTypes } from '../contract/content-type.ts';
import type { EntryValidators } from '../content/validators/index.ts';
import type { TypeHooks } from '../entries/hooks.ts';
import type { RouteServices } from '../entries/route-services.ts';
import type { AnyEntries } from '../entries/typed/create-entries.ts';
import type { Extensions } from './extensions.ts';

/** The code of a type that has entries. */
export interface TypeModule {
  readonly routes: (services: RouteServices) => Router;
  readonly validators: EntryValidators;
}

/** What a generated project is: everything that came from its schema. */
export interface ServerDefinition {
  readonly name: string;
  readonly contentTypes: ContentTypes;
  readonly api: ApiSettings;
  /** Role → what it may do: `article.find`. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /**
   * The code of each type that has entries, by uid. It is loaded when it is first needed, and of a server once it listens, so that
   * a start takes as long with a thousand types as with ten.
   */
  readonly modules: Readonly<Record<string, () => Promise<TypeModule>>>;
  /** The folder `migrations/`. */
  readonly migrations: URL;
  /** The file `openapi.json`. */
  readonly openapi: URL;
  /** Whether the documentation is served: in production too, in development alone, or nowhere. */
  readonly docs: boolean | 'development';
  /** Whether agents have tools at `/mcp`. */
  readonly mcp: boolean;
  /** The page for editors at `/admin`; not set: there is none. */
  readonly admin?: AdminSettings;
}

/** Hooks of any types: the generated `defineExtensions` is where they are typed. */
export type AnyExtensions = Extensions<Record<string, TypeHooks>, AnyEntries>;
