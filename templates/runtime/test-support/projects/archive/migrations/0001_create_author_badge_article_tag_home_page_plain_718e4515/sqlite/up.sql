-- 0001_create_author_badge_article_tag_home_page_plain_718e4515: applied on SQLite

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

-- author
CREATE TABLE "authors" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "authors__document_id_unique"
  ON "authors" ("document_id");

-- badge
CREATE TABLE "badges" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "badges__document_id_unique"
  ON "badges" ("document_id");

-- article
CREATE TABLE "articles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "slug" text,
  "price" text,
  "facet" text,
  "note" text,
  "key" text,
  "rating" integer,
  "cover_id" integer
    CONSTRAINT "articles__cover_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "author_id" integer
    CONSTRAINT "articles__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "badge_id" integer
    CONSTRAINT "articles__badge_id_fk" REFERENCES "badges" ("id") ON DELETE SET NULL,
  "facts" text,
  "lead" text,
  "body" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "articles__document_id_unique"
  ON "articles" ("document_id");
CREATE INDEX "articles__slug_index"
  ON "articles" ("slug");
CREATE INDEX "articles__cover_id_index"
  ON "articles" ("cover_id");
CREATE INDEX "articles__author_id__author_position__id_index"
  ON "articles" ("author_id", "author_position", "id");
CREATE UNIQUE INDEX "articles__badge_id_unique"
  ON "articles" ("badge_id");

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

-- article.about
CREATE TABLE "articles_about_morphs" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_about_morphs__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "articles_about_morphs__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "author_id" integer
    CONSTRAINT "articles_about_morphs__author_id_fk" REFERENCES "authors" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_about_morphs__owner_id__position_index"
  ON "articles_about_morphs" ("owner_id", "position");
CREATE UNIQUE INDEX "articles_about_morphs__owner_id__tag_id_unique"
  ON "articles_about_morphs" ("owner_id", "tag_id");
CREATE UNIQUE INDEX "articles_about_morphs__owner_id__author_id_unique"
  ON "articles_about_morphs" ("owner_id", "author_id");
CREATE INDEX "articles_about_morphs__tag_id_index"
  ON "articles_about_morphs" ("tag_id");
CREATE INDEX "articles_about_morphs__author_id_index"
  ON "articles_about_morphs" ("author_id");

-- article
CREATE TABLE "articles_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "file_id" integer
    CONSTRAINT "articles_component_links__file_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE,
  "tag_id" integer
    CONSTRAINT "articles_component_links__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links__owner_id__item_id__attribute_7a0c0b48"
  ON "articles_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links__file_id_index"
  ON "articles_component_links" ("file_id");
CREATE INDEX "articles_component_links__tag_id_index"
  ON "articles_component_links" ("tag_id");
CREATE TABLE "articles_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "articles_published__id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "title" text,
  "slug" text,
  "price" text,
  "facet" text,
  "note" text,
  "key" text,
  "rating" integer,
  "cover_id" integer
    CONSTRAINT "articles_published__cover_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "author_id" integer
    CONSTRAINT "articles_published__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "badge_id" integer
    CONSTRAINT "articles_published__badge_id_fk" REFERENCES "badges" ("id") ON DELETE SET NULL,
  "facts" text,
  "lead" text,
  "body" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "articles_published__document_id_unique"
  ON "articles_published" ("document_id");
CREATE UNIQUE INDEX "articles_published__slug_unique"
  ON "articles_published" ("slug");
CREATE INDEX "articles_published__cover_id_index"
  ON "articles_published" ("cover_id");
CREATE INDEX "articles_published__author_id__author_position__id_index"
  ON "articles_published" ("author_id", "author_position", "id");
CREATE UNIQUE INDEX "articles_published__badge_id_unique"
  ON "articles_published" ("badge_id");

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

-- article.about
CREATE TABLE "articles_about_morphs_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_about_morphs_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "articles_about_morphs_published__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "author_id" integer
    CONSTRAINT "articles_about_morphs_published__author_id_fk" REFERENCES "authors" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_about_morphs_published__owner_id__position_index"
  ON "articles_about_morphs_published" ("owner_id", "position");
CREATE UNIQUE INDEX "articles_about_morphs_published__owner_id__tag_id_unique"
  ON "articles_about_morphs_published" ("owner_id", "tag_id");
CREATE UNIQUE INDEX "articles_about_morphs_published__owner_id__author_id_unique"
  ON "articles_about_morphs_published" ("owner_id", "author_id");
CREATE INDEX "articles_about_morphs_published__tag_id_index"
  ON "articles_about_morphs_published" ("tag_id");
CREATE INDEX "articles_about_morphs_published__author_id_index"
  ON "articles_about_morphs_published" ("author_id");

-- article
CREATE TABLE "articles_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "file_id" integer
    CONSTRAINT "articles_component_links_published__file_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE,
  "tag_id" integer
    CONSTRAINT "articles_component_links_published__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links_published__owner_id__item_id__c20d1a0a"
  ON "articles_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links_published__file_id_index"
  ON "articles_component_links_published" ("file_id");
CREATE INDEX "articles_component_links_published__tag_id_index"
  ON "articles_component_links_published" ("tag_id");

-- home
CREATE TABLE "homes" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL,
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "homes__document_id_unique"
  ON "homes" ("document_id");
CREATE UNIQUE INDEX "homes__singleton_unique"
  ON "homes" ("singleton");

-- home.tags
CREATE TABLE "homes_tags_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "homes_tags_links__owner_id_fk" REFERENCES "homes" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "homes_tags_links__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "homes_tags_links__owner_id__position__target_id_index"
  ON "homes_tags_links" ("owner_id", "position", "target_id");
CREATE INDEX "homes_tags_links__target_id_index"
  ON "homes_tags_links" ("target_id");

-- page
CREATE TABLE "pages" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "size" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "pages__document_id__locale_unique"
  ON "pages" ("document_id", "locale");
CREATE VIRTUAL TABLE "pages__name_search" USING fts5(c1, content='', tokenize='unicode61 remove_diacritics 0');
INSERT INTO "pages__name_search" (rowid, c1)
  SELECT "id", "name" FROM "pages";
INSERT INTO "pages__name_search" ("pages__name_search") VALUES ('optimize');
CREATE TRIGGER "pages__name_search_insert"
  AFTER INSERT ON "pages"
BEGIN
  INSERT INTO "pages__name_search" (rowid, c1) VALUES (NEW."id", NEW."name");
END;
CREATE TRIGGER "pages__name_search_update"
  AFTER UPDATE OF "name" ON "pages"
BEGIN
  INSERT INTO "pages__name_search" ("pages__name_search", rowid, c1) VALUES ('delete', OLD."id", OLD."name");
  INSERT INTO "pages__name_search" (rowid, c1) VALUES (NEW."id", NEW."name");
END;
CREATE TRIGGER "pages__name_search_delete"
  AFTER DELETE ON "pages"
BEGIN
  INSERT INTO "pages__name_search" ("pages__name_search", rowid, c1) VALUES ('delete', OLD."id", OLD."name");
END;

-- page.tags
CREATE TABLE "pages_tags_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "pages_tags_links__owner_id_fk" REFERENCES "pages" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "pages_tags_links__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "pages_tags_links__owner_id__position__target_id_index"
  ON "pages_tags_links" ("owner_id", "position", "target_id");
CREATE INDEX "pages_tags_links__target_id_index"
  ON "pages_tags_links" ("target_id");

-- plain
CREATE TABLE "plains" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "plains__document_id_unique"
  ON "plains" ("document_id");

-- plain.articles
CREATE TABLE "plains_articles_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "plains_articles_links__owner_id_fk" REFERENCES "plains" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "plains_articles_links__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "plains_articles_links__owner_id__position__target_id_index"
  ON "plains_articles_links" ("owner_id", "position", "target_id");
CREATE INDEX "plains_articles_links__target_id_index"
  ON "plains_articles_links" ("target_id");

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

-- versions of entries
CREATE TABLE "content_history" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "subject" text NOT NULL,
  "state" integer NOT NULL,
  "entry_id" integer NOT NULL,
  "document_id" text,
  "entry_locale" text,
  "entry_version" integer NOT NULL,
  "action" text NOT NULL,
  "since" integer NOT NULL,
  "actor" text NOT NULL,
  "request_id" text,
  "renames" integer NOT NULL,
  "content" text
);
CREATE INDEX "content_history__subject__state__entry_id__id_index"
  ON "content_history" ("subject", "state", "entry_id", "id");
CREATE INDEX "content_history__document_id__subject_index"
  ON "content_history" ("document_id", "subject");

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
