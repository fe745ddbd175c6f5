-- 0001_create_category_team_article_comment_ea6d023f: applied on SQLite

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
  "desk" text,
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
  "uploaded_by_id" integer
    CONSTRAINT "files__uploaded_by_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);
CREATE INDEX "files__uploaded_by_id_index"
  ON "files" ("uploaded_by_id");
CREATE INDEX "files__hash_sort"
  ON "files" ("hash", "id");

-- category
CREATE TABLE "categories" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text NOT NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "categories__name_unique"
  ON "categories" ("name");

-- team
CREATE TABLE "teams" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text NOT NULL,
  "desk" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);

-- article
CREATE TABLE "articles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "body" text,
  "visibility" text DEFAULT 'public',
  "featured" integer DEFAULT 0,
  "embargo" text,
  "cover_id" integer
    CONSTRAINT "articles__cover_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "note" text,
  "author_id" integer
    CONSTRAINT "articles__author_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "category_id" integer
    CONSTRAINT "articles__category_id_fk" REFERENCES "categories" ("id") ON DELETE SET NULL,
  "category_position" integer,
  "team_id" integer
    CONSTRAINT "articles__team_id_fk" REFERENCES "teams" ("id") ON DELETE SET NULL,
  "team_position" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text
);
CREATE INDEX "articles__cover_id_index"
  ON "articles" ("cover_id");
CREATE INDEX "articles__author_id__author_position__id_index"
  ON "articles" ("author_id", "author_position", "id");
CREATE INDEX "articles__category_id__category_position__id_index"
  ON "articles" ("category_id", "category_position", "id");
CREATE INDEX "articles__team_id__team_position__id_index"
  ON "articles" ("team_id", "team_position", "id");
CREATE INDEX "articles__visibility_sort"
  ON "articles" ("visibility", "id");
CREATE INDEX "articles__embargo_sort"
  ON "articles" ("embargo", "id");
CREATE TABLE "articles_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "user_id" integer
    CONSTRAINT "articles_component_links__user_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links__owner_id__item_id__attribute_7a0c0b48"
  ON "articles_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links__user_id_index"
  ON "articles_component_links" ("user_id");
CREATE TABLE "articles_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "articles_published__id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "title" text,
  "body" text,
  "visibility" text DEFAULT 'public',
  "featured" integer DEFAULT 0,
  "embargo" text,
  "cover_id" integer
    CONSTRAINT "articles_published__cover_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "note" text,
  "author_id" integer
    CONSTRAINT "articles_published__author_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "category_id" integer
    CONSTRAINT "articles_published__category_id_fk" REFERENCES "categories" ("id") ON DELETE SET NULL,
  "category_position" integer,
  "team_id" integer
    CONSTRAINT "articles_published__team_id_fk" REFERENCES "teams" ("id") ON DELETE SET NULL,
  "team_position" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text
);
CREATE INDEX "articles_published__cover_id_index"
  ON "articles_published" ("cover_id");
CREATE INDEX "articles_published__author_id__author_position__id_index"
  ON "articles_published" ("author_id", "author_position", "id");
CREATE INDEX "articles_published__category_id__category_position__id_index"
  ON "articles_published" ("category_id", "category_position", "id");
CREATE INDEX "articles_published__team_id__team_position__id_index"
  ON "articles_published" ("team_id", "team_position", "id");
CREATE INDEX "articles_published__visibility_sort"
  ON "articles_published" ("visibility", "id");
CREATE INDEX "articles_published__embargo_sort"
  ON "articles_published" ("embargo", "id");
CREATE TABLE "articles_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "user_id" integer
    CONSTRAINT "articles_component_links_published__user_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links_published__owner_id__item_id__c20d1a0a"
  ON "articles_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links_published__user_id_index"
  ON "articles_component_links_published" ("user_id");

-- category.moderators
CREATE TABLE "categories_moderators_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "categories_moderators_links__owner_id_fk" REFERENCES "categories" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "categories_moderators_links__target_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "categories_moderators_links__owner_id__position__targe_6245dddf"
  ON "categories_moderators_links" ("owner_id", "position", "target_id");
CREATE INDEX "categories_moderators_links__target_id__inverse_positi_0794407e"
  ON "categories_moderators_links" ("target_id", "inverse_position", "owner_id");

-- comment
CREATE TABLE "comments" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "text" text NOT NULL,
  "hidden" integer DEFAULT 0,
  "featured" integer DEFAULT 0,
  "author_id" integer
    CONSTRAINT "comments__author_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "article_id" integer
    CONSTRAINT "comments__article_id_fk" REFERENCES "articles" ("id") ON DELETE SET NULL,
  "article_position" integer,
  "published_article_id" integer
    CONSTRAINT "comments__published_article_id_fk" REFERENCES "articles" ("id") ON DELETE SET NULL,
  "published_article_position" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);
CREATE INDEX "comments__author_id__author_position__id_index"
  ON "comments" ("author_id", "author_position", "id");
CREATE INDEX "comments__article_id__article_position__id_index"
  ON "comments" ("article_id", "article_position", "id");
CREATE INDEX "comments__published_article_id__published_article_posi_0bd46ed3"
  ON "comments" ("published_article_id", "published_article_position", "id");

-- team.members
CREATE TABLE "teams_members_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "teams_members_links__owner_id_fk" REFERENCES "teams" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "teams_members_links__target_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "teams_members_links__owner_id__position__target_id_index"
  ON "teams_members_links" ("owner_id", "position", "target_id");
CREATE INDEX "teams_members_links__target_id__inverse_position__owne_866f1f19"
  ON "teams_members_links" ("target_id", "inverse_position", "owner_id");

-- roles, what they may do
CREATE TABLE "user_role_permissions" (
  "role_id" integer NOT NULL
    CONSTRAINT "user_role_permissions__role_id_fk" REFERENCES "user_roles" ("id") ON DELETE CASCADE,
  "action" text NOT NULL,
  "rule" text,
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
