-- 0001_create_author_article_ledger_work_place_a62729ec: applied on SQLite

-- file
CREATE TABLE "files" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text NOT NULL,
  "alternative_text" text,
  "caption" text,
  "width" integer,
  "height" integer,
  "formats" text,
  "hash" text NOT NULL,
  "ext" text,
  "mime" text NOT NULL,
  "size" text NOT NULL,
  "url" text NOT NULL,
  "preview_url" text,
  "provider" text NOT NULL,
  "provider_metadata" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);

-- author
CREATE TABLE "authors" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "authors__name_unique"
  ON "authors" ("name");

-- user-role
CREATE TABLE "user_roles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text NOT NULL,
  "description" text,
  "type" text NOT NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "user_roles__type_unique"
  ON "user_roles" ("type");

-- user
CREATE TABLE "users" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "username" text NOT NULL,
  "email" text NOT NULL,
  "provider" text,
  "password" text,
  "reset_password_token" text,
  "reset_password_expires_at" text,
  "confirmation_token" text,
  "confirmation_expires_at" text,
  "confirmed" integer DEFAULT 0,
  "blocked" integer DEFAULT 0,
  "token_generation" integer NOT NULL DEFAULT 0,
  "kept_session" text,
  "role_id" integer
    CONSTRAINT "users__role_id_fk" REFERENCES "user_roles" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "users__username_unique"
  ON "users" ("username");
CREATE UNIQUE INDEX "users__email_unique"
  ON "users" ("email");
CREATE UNIQUE INDEX "users__reset_password_token_unique"
  ON "users" ("reset_password_token");
CREATE UNIQUE INDEX "users__confirmation_token_unique"
  ON "users" ("confirmation_token");
CREATE INDEX "users__role_id_index"
  ON "users" ("role_id");

-- article
CREATE TABLE "articles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "slug" text,
  "_slug_claim" text,
  "body" text,
  "note" text,
  "stage" text DEFAULT 'idea',
  "cover_id" integer
    CONSTRAINT "articles__cover_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "seo" text,
  "blocks" text,
  "author_id" integer
    CONSTRAINT "articles__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "owner_id" integer
    CONSTRAINT "articles__owner_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "articles__document_id__locale_unique"
  ON "articles" ("document_id", "locale");
CREATE INDEX "articles__slug_index"
  ON "articles" ("slug");
CREATE INDEX "articles__cover_id_index"
  ON "articles" ("cover_id");
CREATE INDEX "articles__author_id__author_position__id_index"
  ON "articles" ("author_id", "author_position", "id");
CREATE INDEX "articles__owner_id_index"
  ON "articles" ("owner_id");

-- ledger
CREATE TABLE "ledgers" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "amount" text,
  "entry" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);

-- article.about
CREATE TABLE "articles_about_morphs" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_about_morphs__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "author_id" integer
    CONSTRAINT "articles_about_morphs__author_id_fk" REFERENCES "authors" ("id") ON DELETE CASCADE,
  "ledger_id" integer
    CONSTRAINT "articles_about_morphs__ledger_id_fk" REFERENCES "ledgers" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_about_morphs__owner_id__position_index"
  ON "articles_about_morphs" ("owner_id", "position");
CREATE UNIQUE INDEX "articles_about_morphs__owner_id__author_id_unique"
  ON "articles_about_morphs" ("owner_id", "author_id");
CREATE UNIQUE INDEX "articles_about_morphs__owner_id__ledger_id_unique"
  ON "articles_about_morphs" ("owner_id", "ledger_id");
CREATE INDEX "articles_about_morphs__author_id_index"
  ON "articles_about_morphs" ("author_id");
CREATE INDEX "articles_about_morphs__ledger_id_index"
  ON "articles_about_morphs" ("ledger_id");

-- article
CREATE TABLE "articles_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "file_id" integer
    CONSTRAINT "articles_component_links__file_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links__owner_id__item_id__attribute_7a0c0b48"
  ON "articles_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links__file_id_index"
  ON "articles_component_links" ("file_id");
CREATE TABLE "articles_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "articles_published__id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "title" text,
  "slug" text,
  "_slug_claim" text,
  "body" text,
  "note" text,
  "stage" text DEFAULT 'idea',
  "cover_id" integer
    CONSTRAINT "articles_published__cover_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "seo" text,
  "blocks" text,
  "author_id" integer
    CONSTRAINT "articles_published__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "owner_id" integer
    CONSTRAINT "articles_published__owner_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "articles_published__document_id__locale_unique"
  ON "articles_published" ("document_id", "locale");
CREATE UNIQUE INDEX "articles_published__slug__locale_unique"
  ON "articles_published" ("slug", "locale");
CREATE UNIQUE INDEX "articles_published___slug_claim_unique"
  ON "articles_published" ("_slug_claim");
CREATE INDEX "articles_published__cover_id_index"
  ON "articles_published" ("cover_id");
CREATE INDEX "articles_published__author_id__author_position__id_index"
  ON "articles_published" ("author_id", "author_position", "id");
CREATE INDEX "articles_published__owner_id_index"
  ON "articles_published" ("owner_id");

-- article.about
CREATE TABLE "articles_about_morphs_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_about_morphs_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "author_id" integer
    CONSTRAINT "articles_about_morphs_published__author_id_fk" REFERENCES "authors" ("id") ON DELETE CASCADE,
  "ledger_id" integer
    CONSTRAINT "articles_about_morphs_published__ledger_id_fk" REFERENCES "ledgers" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_about_morphs_published__owner_id__position_index"
  ON "articles_about_morphs_published" ("owner_id", "position");
CREATE UNIQUE INDEX "articles_about_morphs_published__owner_id__author_id_unique"
  ON "articles_about_morphs_published" ("owner_id", "author_id");
CREATE UNIQUE INDEX "articles_about_morphs_published__owner_id__ledger_id_unique"
  ON "articles_about_morphs_published" ("owner_id", "ledger_id");
CREATE INDEX "articles_about_morphs_published__author_id_index"
  ON "articles_about_morphs_published" ("author_id");
CREATE INDEX "articles_about_morphs_published__ledger_id_index"
  ON "articles_about_morphs_published" ("ledger_id");

-- article
CREATE TABLE "articles_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "file_id" integer
    CONSTRAINT "articles_component_links_published__file_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links_published__owner_id__item_id__c20d1a0a"
  ON "articles_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links_published__file_id_index"
  ON "articles_component_links_published" ("file_id");

-- work-place
CREATE TABLE "work_places" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "work_places__singleton_unique"
  ON "work_places" ("singleton");

-- roles, what they may do
CREATE TABLE "user_role_permissions" (
  "role_id" integer NOT NULL
    CONSTRAINT "user_role_permissions__role_id_fk" REFERENCES "user_roles" ("id") ON DELETE CASCADE,
  "action" text NOT NULL,
  PRIMARY KEY ("role_id", "action")
) WITHOUT ROWID;

-- API tokens
CREATE TABLE "api_tokens" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text NOT NULL,
  "kind" text NOT NULL,
  "hash" text NOT NULL,
  "created_at" text NOT NULL,
  "expires_at" text,
  "last_used_at" text,
  "user_id" integer
    CONSTRAINT "api_tokens__user_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "api_tokens__name_unique"
  ON "api_tokens" ("name");
CREATE UNIQUE INDEX "api_tokens__hash_unique"
  ON "api_tokens" ("hash");
CREATE INDEX "api_tokens__user_id_index"
  ON "api_tokens" ("user_id");

-- API tokens, what they may do
CREATE TABLE "api_token_permissions" (
  "token_id" integer NOT NULL
    CONSTRAINT "api_token_permissions__token_id_fk" REFERENCES "api_tokens" ("id") ON DELETE CASCADE,
  "action" text NOT NULL,
  PRIMARY KEY ("token_id", "action")
) WITHOUT ROWID;

-- changes of roles and permissions
CREATE TABLE "access_changes" (
  "name" text NOT NULL,
  "version" integer NOT NULL,
  PRIMARY KEY ("name")
) WITHOUT ROWID;

-- rate limits
CREATE TABLE "rate_limits" (
  "name" text NOT NULL,
  "tries" integer NOT NULL,
  "expires_at" integer NOT NULL,
  PRIMARY KEY ("name")
) WITHOUT ROWID;

-- requests with an Idempotency-Key
CREATE TABLE "idempotency_keys" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "request_key" text NOT NULL,
  "payload" text NOT NULL,
  "since" integer NOT NULL,
  "status" integer,
  "etag" text,
  "body" text
);
CREATE UNIQUE INDEX "idempotency_keys__request_key_unique"
  ON "idempotency_keys" ("request_key");

-- stored files without an entry
CREATE TABLE "pending_files" (
  "name" text NOT NULL,
  "provider" text NOT NULL,
  "removing" integer NOT NULL,
  "since" integer NOT NULL,
  PRIMARY KEY ("name")
) WITHOUT ROWID;

-- components, their ids
CREATE TABLE "component_ids" (
  "id" integer PRIMARY KEY AUTOINCREMENT
);
