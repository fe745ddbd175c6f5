-- 0001_create_front_product_part_tag_story_77e2ff99: applied on SQLite

-- front
CREATE TABLE "fronts" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL,
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "fronts__document_id_unique"
  ON "fronts" ("document_id");
CREATE UNIQUE INDEX "fronts__singleton_unique"
  ON "fronts" ("singleton");

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
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "users__document_id_unique"
  ON "users" ("document_id");
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
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "files__document_id_unique"
  ON "files" ("document_id");

-- product
CREATE TABLE "products" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text NOT NULL,
  "slug" text NOT NULL,
  "price" text,
  "cost" text,
  "seller_id" integer
    CONSTRAINT "products__seller_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "photo_id" integer
    CONSTRAINT "products__photo_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "products__document_id_unique"
  ON "products" ("document_id");
CREATE UNIQUE INDEX "products__slug_unique"
  ON "products" ("slug");
CREATE INDEX "products__seller_id_index"
  ON "products" ("seller_id");
CREATE INDEX "products__photo_id_index"
  ON "products" ("photo_id");

-- part
CREATE TABLE "parts" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "code" text,
  "product_id" integer
    CONSTRAINT "parts__product_id_fk" REFERENCES "products" ("id") ON DELETE SET NULL,
  "product_position" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "parts__document_id_unique"
  ON "parts" ("document_id");
CREATE INDEX "parts__product_id__product_position__id_index"
  ON "parts" ("product_id", "product_position", "id");

-- tag
CREATE TABLE "tags" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "tags__document_id_unique"
  ON "tags" ("document_id");
CREATE UNIQUE INDEX "tags__name_unique"
  ON "tags" ("name");

-- product.tags
CREATE TABLE "products_tags_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "products_tags_links__owner_id_fk" REFERENCES "products" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "products_tags_links__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "products_tags_links__owner_id__position__target_id_index"
  ON "products_tags_links" ("owner_id", "position", "target_id");
CREATE INDEX "products_tags_links__target_id__inverse_position__owne_6a6c5c87"
  ON "products_tags_links" ("target_id", "inverse_position", "owner_id");

-- story
CREATE TABLE "stories" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "stories__document_id__locale_unique"
  ON "stories" ("document_id", "locale");
CREATE TABLE "stories_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "stories_published__id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "title" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "stories_published__document_id__locale_unique"
  ON "stories_published" ("document_id", "locale");

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
