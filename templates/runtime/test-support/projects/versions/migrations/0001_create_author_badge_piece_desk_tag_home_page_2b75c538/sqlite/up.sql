-- 0001_create_author_badge_piece_desk_tag_home_page_2b75c538: applied on SQLite

-- author
CREATE TABLE "authors" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "authors__document_id_unique"
  ON "authors" ("document_id");
CREATE TABLE "authors_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "authors_published__id_fk" REFERENCES "authors" ("id") ON DELETE CASCADE,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "authors_published__document_id_unique"
  ON "authors_published" ("document_id");

-- badge
CREATE TABLE "badges" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "badges__document_id_unique"
  ON "badges" ("document_id");
CREATE TABLE "badges_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "badges_published__id_fk" REFERENCES "badges" ("id") ON DELETE CASCADE,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "badges_published__document_id_unique"
  ON "badges_published" ("document_id");

-- piece
CREATE TABLE "pieces" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "code" text,
  "slug" text,
  "size" integer,
  "seo" text,
  "slides" text,
  "author_id" integer
    CONSTRAINT "pieces__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "desk_id" integer
    CONSTRAINT "pieces__desk_id_fk" REFERENCES "desks" ("id") ON DELETE SET NULL,
  "desk_position" integer,
  "badge_id" integer
    CONSTRAINT "pieces__badge_id_fk" REFERENCES "badges" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "pieces__document_id_unique"
  ON "pieces" ("document_id");
CREATE INDEX "pieces__code_index"
  ON "pieces" ("code");
CREATE INDEX "pieces__slug_index"
  ON "pieces" ("slug");
CREATE INDEX "pieces__author_id__author_position__id_index"
  ON "pieces" ("author_id", "author_position", "id");
CREATE INDEX "pieces__desk_id__desk_position__id_index"
  ON "pieces" ("desk_id", "desk_position", "id");
CREATE UNIQUE INDEX "pieces__badge_id_unique"
  ON "pieces" ("badge_id");
CREATE INDEX "pieces__size_sort"
  ON "pieces" ("size", "id");
CREATE VIRTUAL TABLE "pieces__title_search" USING fts5(c1, content='', tokenize='unicode61 remove_diacritics 0');
INSERT INTO "pieces__title_search" (rowid, c1)
  SELECT "id", "title" FROM "pieces";
INSERT INTO "pieces__title_search" ("pieces__title_search") VALUES ('optimize');
CREATE TRIGGER "pieces__title_search_insert"
  AFTER INSERT ON "pieces"
BEGIN
  INSERT INTO "pieces__title_search" (rowid, c1) VALUES (NEW."id", NEW."title");
END;
CREATE TRIGGER "pieces__title_search_update"
  AFTER UPDATE OF "title" ON "pieces"
BEGIN
  INSERT INTO "pieces__title_search" ("pieces__title_search", rowid, c1) VALUES ('delete', OLD."id", OLD."title");
  INSERT INTO "pieces__title_search" (rowid, c1) VALUES (NEW."id", NEW."title");
END;
CREATE TRIGGER "pieces__title_search_delete"
  AFTER DELETE ON "pieces"
BEGIN
  INSERT INTO "pieces__title_search" ("pieces__title_search", rowid, c1) VALUES ('delete', OLD."id", OLD."title");
END;

-- desk
CREATE TABLE "desks" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "lead_id" integer
    CONSTRAINT "desks__lead_id_fk" REFERENCES "pieces" ("id") ON DELETE SET NULL,
  "lead_position" integer,
  "published_lead_id" integer
    CONSTRAINT "desks__published_lead_id_fk" REFERENCES "pieces" ("id") ON DELETE SET NULL,
  "published_lead_position" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "desks__document_id_unique"
  ON "desks" ("document_id");
CREATE INDEX "desks__lead_id__lead_position__id_index"
  ON "desks" ("lead_id", "lead_position", "id");
CREATE INDEX "desks__published_lead_id__published_lead_position__id_index"
  ON "desks" ("published_lead_id", "published_lead_position", "id");

-- tag
CREATE TABLE "tags" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "tags__document_id_unique"
  ON "tags" ("document_id");

-- desk.tags
CREATE TABLE "desks_tags_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "desks_tags_links__owner_id_fk" REFERENCES "desks" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "desks_tags_links__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "desks_tags_links__owner_id__position__target_id_index"
  ON "desks_tags_links" ("owner_id", "position", "target_id");
CREATE INDEX "desks_tags_links__target_id__inverse_position__owner_id_index"
  ON "desks_tags_links" ("target_id", "inverse_position", "owner_id");
CREATE TABLE "desks_tags_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "desks_tags_links_published__owner_id_fk" REFERENCES "desks" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "desks_tags_links_published__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "desks_tags_links_published__owner_id__position__target_id_index"
  ON "desks_tags_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "desks_tags_links_published__target_id__inverse_positio_66600baa"
  ON "desks_tags_links_published" ("target_id", "inverse_position", "owner_id");

-- home
CREATE TABLE "homes" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "homes__document_id_unique"
  ON "homes" ("document_id");
CREATE UNIQUE INDEX "homes__singleton_unique"
  ON "homes" ("singleton");
CREATE TABLE "homes_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "homes_published__id_fk" REFERENCES "homes" ("id") ON DELETE CASCADE,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "homes_published__document_id_unique"
  ON "homes_published" ("document_id");
CREATE UNIQUE INDEX "homes_published__singleton_unique"
  ON "homes_published" ("singleton");

-- page
CREATE TABLE "pages" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "sku" text,
  "_sku_claim" text,
  "size" integer,
  "seo" text,
  "author_id" integer
    CONSTRAINT "pages__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "pages__document_id__locale_unique"
  ON "pages" ("document_id", "locale");
CREATE INDEX "pages__sku_index"
  ON "pages" ("sku");
CREATE INDEX "pages__author_id_index"
  ON "pages" ("author_id");

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

-- page
CREATE TABLE "pages_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "pages_component_links__owner_id_fk" REFERENCES "pages" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "pages_component_links__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "pages_component_links__owner_id__item_id__attribute__p_7dbd2a03"
  ON "pages_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "pages_component_links__tag_id_index"
  ON "pages_component_links" ("tag_id");
CREATE TABLE "pages_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "pages_published__id_fk" REFERENCES "pages" ("id") ON DELETE CASCADE,
  "title" text,
  "sku" text,
  "_sku_claim" text,
  "size" integer,
  "seo" text,
  "author_id" integer
    CONSTRAINT "pages_published__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "pages_published__document_id__locale_unique"
  ON "pages_published" ("document_id", "locale");
CREATE UNIQUE INDEX "pages_published__sku__locale_unique"
  ON "pages_published" ("sku", "locale");
CREATE UNIQUE INDEX "pages_published___sku_claim_unique"
  ON "pages_published" ("_sku_claim");
CREATE INDEX "pages_published__author_id_index"
  ON "pages_published" ("author_id");

-- page.tags
CREATE TABLE "pages_tags_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "pages_tags_links_published__owner_id_fk" REFERENCES "pages" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "pages_tags_links_published__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "pages_tags_links_published__owner_id__position__target_id_index"
  ON "pages_tags_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "pages_tags_links_published__target_id_index"
  ON "pages_tags_links_published" ("target_id");

-- page
CREATE TABLE "pages_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "pages_component_links_published__owner_id_fk" REFERENCES "pages" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "pages_component_links_published__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "pages_component_links_published__owner_id__item_id__at_d29eee98"
  ON "pages_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "pages_component_links_published__tag_id_index"
  ON "pages_component_links_published" ("tag_id");

-- piece.tags
CREATE TABLE "pieces_tags_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_tags_links__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "pieces_tags_links__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "pieces_tags_links__owner_id__position__target_id_index"
  ON "pieces_tags_links" ("owner_id", "position", "target_id");
CREATE INDEX "pieces_tags_links__target_id__inverse_position__owner_id_index"
  ON "pieces_tags_links" ("target_id", "inverse_position", "owner_id");

-- piece.see
CREATE TABLE "pieces_see_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_see_links__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "pieces_see_links__target_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "pieces_see_links__owner_id__position__target_id_index"
  ON "pieces_see_links" ("owner_id", "position", "target_id");
CREATE INDEX "pieces_see_links__target_id_index"
  ON "pieces_see_links" ("target_id");

-- piece.about
CREATE TABLE "pieces_about_morphs" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_about_morphs__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "pieces_about_morphs__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "desk_id" integer
    CONSTRAINT "pieces_about_morphs__desk_id_fk" REFERENCES "desks" ("id") ON DELETE CASCADE
);
CREATE INDEX "pieces_about_morphs__owner_id__position_index"
  ON "pieces_about_morphs" ("owner_id", "position");
CREATE UNIQUE INDEX "pieces_about_morphs__owner_id__tag_id_unique"
  ON "pieces_about_morphs" ("owner_id", "tag_id");
CREATE UNIQUE INDEX "pieces_about_morphs__owner_id__desk_id_unique"
  ON "pieces_about_morphs" ("owner_id", "desk_id");
CREATE INDEX "pieces_about_morphs__tag_id_index"
  ON "pieces_about_morphs" ("tag_id");
CREATE INDEX "pieces_about_morphs__desk_id_index"
  ON "pieces_about_morphs" ("desk_id");

-- piece
CREATE TABLE "pieces_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_component_links__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "desk_id" integer
    CONSTRAINT "pieces_component_links__desk_id_fk" REFERENCES "desks" ("id") ON DELETE CASCADE,
  "tag_id" integer
    CONSTRAINT "pieces_component_links__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "pieces_component_links__owner_id__item_id__attribute___9b9760b6"
  ON "pieces_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "pieces_component_links__desk_id_index"
  ON "pieces_component_links" ("desk_id");
CREATE INDEX "pieces_component_links__tag_id_index"
  ON "pieces_component_links" ("tag_id");
CREATE TABLE "pieces_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "pieces_published__id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "title" text,
  "code" text,
  "slug" text,
  "size" integer,
  "seo" text,
  "slides" text,
  "author_id" integer
    CONSTRAINT "pieces_published__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "desk_id" integer
    CONSTRAINT "pieces_published__desk_id_fk" REFERENCES "desks" ("id") ON DELETE SET NULL,
  "desk_position" integer,
  "badge_id" integer
    CONSTRAINT "pieces_published__badge_id_fk" REFERENCES "badges" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "pieces_published__document_id_unique"
  ON "pieces_published" ("document_id");
CREATE UNIQUE INDEX "pieces_published__code_unique"
  ON "pieces_published" ("code");
CREATE UNIQUE INDEX "pieces_published__slug_unique"
  ON "pieces_published" ("slug");
CREATE INDEX "pieces_published__author_id__author_position__id_index"
  ON "pieces_published" ("author_id", "author_position", "id");
CREATE INDEX "pieces_published__desk_id__desk_position__id_index"
  ON "pieces_published" ("desk_id", "desk_position", "id");
CREATE UNIQUE INDEX "pieces_published__badge_id_unique"
  ON "pieces_published" ("badge_id");
CREATE INDEX "pieces_published__size_sort"
  ON "pieces_published" ("size", "id");
CREATE VIRTUAL TABLE "pieces_published__title_search" USING fts5(c1, content='', tokenize='unicode61 remove_diacritics 0');
INSERT INTO "pieces_published__title_search" (rowid, c1)
  SELECT "id", "title" FROM "pieces_published";
INSERT INTO "pieces_published__title_search" ("pieces_published__title_search") VALUES ('optimize');
CREATE TRIGGER "pieces_published__title_search_insert"
  AFTER INSERT ON "pieces_published"
BEGIN
  INSERT INTO "pieces_published__title_search" (rowid, c1) VALUES (NEW."id", NEW."title");
END;
CREATE TRIGGER "pieces_published__title_search_update"
  AFTER UPDATE OF "title" ON "pieces_published"
BEGIN
  INSERT INTO "pieces_published__title_search" ("pieces_published__title_search", rowid, c1) VALUES ('delete', OLD."id", OLD."title");
  INSERT INTO "pieces_published__title_search" (rowid, c1) VALUES (NEW."id", NEW."title");
END;
CREATE TRIGGER "pieces_published__title_search_delete"
  AFTER DELETE ON "pieces_published"
BEGIN
  INSERT INTO "pieces_published__title_search" ("pieces_published__title_search", rowid, c1) VALUES ('delete', OLD."id", OLD."title");
END;

-- piece.tags
CREATE TABLE "pieces_tags_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_tags_links_published__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "pieces_tags_links_published__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "pieces_tags_links_published__owner_id__position__targe_a812bbe1"
  ON "pieces_tags_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "pieces_tags_links_published__target_id__inverse_positi_497e80e2"
  ON "pieces_tags_links_published" ("target_id", "inverse_position", "owner_id");

-- piece.see
CREATE TABLE "pieces_see_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_see_links_published__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "pieces_see_links_published__target_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "pieces_see_links_published__owner_id__position__target_id_index"
  ON "pieces_see_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "pieces_see_links_published__target_id_index"
  ON "pieces_see_links_published" ("target_id");

-- piece.about
CREATE TABLE "pieces_about_morphs_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_about_morphs_published__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "pieces_about_morphs_published__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "desk_id" integer
    CONSTRAINT "pieces_about_morphs_published__desk_id_fk" REFERENCES "desks" ("id") ON DELETE CASCADE
);
CREATE INDEX "pieces_about_morphs_published__owner_id__position_index"
  ON "pieces_about_morphs_published" ("owner_id", "position");
CREATE UNIQUE INDEX "pieces_about_morphs_published__owner_id__tag_id_unique"
  ON "pieces_about_morphs_published" ("owner_id", "tag_id");
CREATE UNIQUE INDEX "pieces_about_morphs_published__owner_id__desk_id_unique"
  ON "pieces_about_morphs_published" ("owner_id", "desk_id");
CREATE INDEX "pieces_about_morphs_published__tag_id_index"
  ON "pieces_about_morphs_published" ("tag_id");
CREATE INDEX "pieces_about_morphs_published__desk_id_index"
  ON "pieces_about_morphs_published" ("desk_id");

-- piece
CREATE TABLE "pieces_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "pieces_component_links_published__owner_id_fk" REFERENCES "pieces" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "desk_id" integer
    CONSTRAINT "pieces_component_links_published__desk_id_fk" REFERENCES "desks" ("id") ON DELETE CASCADE,
  "tag_id" integer
    CONSTRAINT "pieces_component_links_published__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "pieces_component_links_published__owner_id__item_id__a_a7b2a035"
  ON "pieces_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "pieces_component_links_published__desk_id_index"
  ON "pieces_component_links_published" ("desk_id");
CREATE INDEX "pieces_component_links_published__tag_id_index"
  ON "pieces_component_links_published" ("tag_id");

-- tag
CREATE TABLE "tags_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "tags_published__id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "tags_published__document_id_unique"
  ON "tags_published" ("document_id");

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

-- components, their ids
CREATE TABLE "component_ids" (
  "id" integer PRIMARY KEY AUTOINCREMENT
);
