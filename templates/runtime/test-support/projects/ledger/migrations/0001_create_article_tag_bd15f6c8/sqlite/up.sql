-- 0001_create_article_tag_bd15f6c8: applied on SQLite

-- article
CREATE TABLE "articles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text
);

-- tag
CREATE TABLE "tags" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);

-- article.tags
CREATE TABLE "articles_tags_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_tags_links__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "articles_tags_links__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "articles_tags_links__owner_id__position__target_id_index"
  ON "articles_tags_links" ("owner_id", "position", "target_id");
CREATE INDEX "articles_tags_links__target_id__inverse_position__owne_6cbfe3cb"
  ON "articles_tags_links" ("target_id", "inverse_position", "owner_id");

-- article
CREATE TABLE "articles_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "articles_published__id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "title" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text
);

-- article.tags
CREATE TABLE "articles_tags_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_tags_links_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "articles_tags_links_published__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "articles_tags_links_published__owner_id__position__tar_97f84df8"
  ON "articles_tags_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "articles_tags_links_published__target_id__inverse_posi_89c07dd0"
  ON "articles_tags_links_published" ("target_id", "inverse_position", "owner_id");

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

-- the audit
CREATE TABLE "audit_log" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "position" integer,
  "hash" text,
  "since" integer NOT NULL,
  "event" text NOT NULL,
  "subject" text,
  "subject_id" integer,
  "document_id" text,
  "entry_locale" text,
  "actor_kind" text NOT NULL,
  "actor_id" integer,
  "request_id" text,
  "address" text,
  "details" text
);
CREATE UNIQUE INDEX "audit_log__position_unique"
  ON "audit_log" ("position");
CREATE INDEX "audit_log__subject__subject_id_index"
  ON "audit_log" ("subject", "subject_id");
CREATE INDEX "audit_log__actor_kind__actor_id_index"
  ON "audit_log" ("actor_kind", "actor_id");
CREATE INDEX "audit_log__since_index"
  ON "audit_log" ("since");

-- the chain of the audit
CREATE TABLE "audit_chain" (
  "name" text NOT NULL,
  "position" integer NOT NULL,
  "hash" text NOT NULL,
  PRIMARY KEY ("name")
) WITHOUT ROWID;
