/** A GraphQL schema as data: what is printed, and what each field means for reading and writing entries. */

/** What a field of an object shows. */
export type Meaning =
  /** The value of a scalar attribute, or a member of a plain object. */
  | { readonly is: 'value'; readonly attribute: string }
  /** A member of an object that an endpoint of the project answers. */
  | { readonly is: 'member'; readonly name: string }
  /** The id of the row or item, as text. */
  | { readonly is: 'id' }
  | { readonly is: 'documentId' }
  /** The same entry, list or page: `data`, `attributes`. */
  | { readonly is: 'same' }
  /** The entries of a page. */
  | { readonly is: 'entries' }
  /** The pagination of a page, or what contains it. */
  | { readonly is: 'pagination' }
  | { readonly is: 'relation'; readonly attribute: string; readonly target: string; readonly media: boolean }
  | { readonly is: 'localizations'; readonly target: string }
  | { readonly is: 'morph'; readonly attribute: string }
  | { readonly is: 'component'; readonly attribute: string; readonly repeatable: boolean }
  | { readonly is: 'zone'; readonly attribute: string }
  | RootMeaning;

/** What a field of Query or Mutation does. */
export type RootMeaning =
  | {
      readonly is: 'read';
      readonly read: 'one' | 'many' | 'connection' | 'single';
      readonly uid: string;
    }
  | {
      readonly is: 'write';
      readonly write: 'create' | 'update' | 'delete' | 'localize';
      readonly uid: string;
    }
  /** An endpoint of the project. */
  | { readonly is: 'own'; readonly name: string }
  /** A built-in route of the server: sign-in, users, files, locales. */
  | { readonly is: 'builtIn'; readonly name: BuiltIn };

export type BuiltIn =
  | 'me'
  | 'login'
  | 'register'
  | 'forgotPassword'
  | 'resetPassword'
  | 'changePassword'
  | 'emailConfirmation'
  | 'user'
  | 'users'
  | 'usersConnection'
  | 'createUser'
  | 'updateUser'
  | 'deleteUser'
  | 'createRole'
  | 'updateRole'
  | 'deleteRole'
  | 'file'
  | 'files'
  | 'filesConnection'
  | 'updateFile'
  | 'uploadFile'
  | 'uploadFiles'
  | 'deleteFile'
  | 'locale'
  | 'locales'
  | 'localesConnection';

export interface Argument {
  readonly name: string;
  readonly type: string;
  /** As it is written in the schema. */
  readonly default?: string;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly args?: readonly Argument[];
  readonly description?: string | undefined;
  readonly means: Meaning;
}

/** What a member of an input means. Undefined in inputs that need no conversion. */
export type InputMeaning =
  | { readonly is: 'condition' }
  | { readonly is: 'filters' }
  | { readonly is: 'logic' }
  | { readonly is: 'value' }
  | { readonly is: 'related'; readonly media: boolean }
  | { readonly is: 'changes'; readonly attribute: string }
  | { readonly is: 'component' }
  | { readonly is: 'zone' }
  | { readonly is: 'id' }
  /** Accepted as the plugin does, without effect. */
  | { readonly is: 'ignored' };

export interface InputField extends Argument {
  readonly description?: string | undefined;
  readonly means: InputMeaning;
}

interface Named {
  readonly name: string;
  readonly description?: string | undefined;
}

export interface ObjectDefinition extends Named {
  readonly kind: 'object';
  /** The content type or component of which it shows entries or items. */
  readonly of?: { readonly type: string } | { readonly component: string };
  readonly fields: readonly Field[];
}

export interface InputDefinition extends Named {
  readonly kind: 'input';
  readonly fields: readonly InputField[];
}

export interface EnumDefinition extends Named {
  readonly kind: 'enum';
  /** Name → value. */
  readonly values: ReadonlyMap<string, string>;
}

export interface UnionDefinition extends Named {
  readonly kind: 'union';
  readonly members: readonly string[];
}

export interface ScalarDefinition extends Named {
  readonly kind: 'scalar';
  /** For elements of dynamic zones: name of the object → uid of the component. */
  readonly components?: ReadonlyMap<string, string>;
}

export type Definition = ObjectDefinition | InputDefinition | EnumDefinition | UnionDefinition | ScalarDefinition;

/** `[Leaf!]!` → `Leaf` */
export function innerName(type: string): string {
  return type.replaceAll(/[[\]!]/gu, '');
}

/** All types, in the order in which they are printed. */
export type GraphqlModel = readonly Definition[];
