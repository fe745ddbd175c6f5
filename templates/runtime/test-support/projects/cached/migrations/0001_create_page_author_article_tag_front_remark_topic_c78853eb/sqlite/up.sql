-- 0001_create_page_author_article_tag_front_remark_topic_c78853eb: applied on SQLite

-- page
CREATE TABLE "pages" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "rank" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "pages__document_id__locale_unique"
  ON "pages" ("document_id", "locale");

-- author
CREATE TABLE "authors" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "page_id" integer
    CONSTRAINT "authors__page_id_fk" REFERENCES "pages" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "authors__document_id_unique"
  ON "authors" ("document_id");
CREATE UNIQUE INDEX "authors__page_id_unique"
  ON "authors" ("page_id");

-- article
CREATE TABLE "articles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "section" text,
  "author_id" integer
    CONSTRAINT "articles__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "facts" text,
  "blocks" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "articles__document_id_unique"
  ON "articles" ("document_id");
CREATE INDEX "articles__author_id__author_position__id_index"
  ON "articles" ("author_id", "author_position", "id");
CREATE VIRTUAL TABLE "articles__title__section_search" USING fts5(c1, c2, content='', tokenize='unicode61 remove_diacritics 0');
INSERT INTO "articles__title__section_search" (rowid, c1, c2)
  SELECT "id", "title", "section" FROM "articles";
INSERT INTO "articles__title__section_search" ("articles__title__section_search") VALUES ('optimize');
CREATE TRIGGER "articles__title__section_search_insert"
  AFTER INSERT ON "articles"
BEGIN
  INSERT INTO "articles__title__section_search" (rowid, c1, c2) VALUES (NEW."id", NEW."title", NEW."section");
END;
CREATE TRIGGER "articles__title__section_search_update"
  AFTER UPDATE OF "title", "section" ON "articles"
BEGIN
  INSERT INTO "articles__title__section_search" ("articles__title__section_search", rowid, c1, c2) VALUES ('delete', OLD."id", OLD."title", OLD."section");
  INSERT INTO "articles__title__section_search" (rowid, c1, c2) VALUES (NEW."id", NEW."title", NEW."section");
END;
CREATE TRIGGER "articles__title__section_search_delete"
  AFTER DELETE ON "articles"
BEGIN
  INSERT INTO "articles__title__section_search" ("articles__title__section_search", rowid, c1, c2) VALUES ('delete', OLD."id", OLD."title", OLD."section");
END;

-- tag
CREATE TABLE "tags" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "hidden" integer DEFAULT 0,
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

-- article.related
CREATE TABLE "articles_related_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_related_links__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "articles_related_links__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "articles_related_links__owner_id__position__target_id_index"
  ON "articles_related_links" ("owner_id", "position", "target_id");
CREATE INDEX "articles_related_links__target_id_index"
  ON "articles_related_links" ("target_id");

-- article
CREATE TABLE "articles_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "articles_component_links__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "tag_id" integer
    CONSTRAINT "articles_component_links__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links__owner_id__item_id__attribute_7a0c0b48"
  ON "articles_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links__article_id_index"
  ON "articles_component_links" ("article_id");
CREATE INDEX "articles_component_links__tag_id_index"
  ON "articles_component_links" ("tag_id");
CREATE TABLE "articles_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "articles_published__id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "title" text,
  "section" text,
  "author_id" integer
    CONSTRAINT "articles_published__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "facts" text,
  "blocks" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "articles_published__document_id_unique"
  ON "articles_published" ("document_id");
CREATE INDEX "articles_published__author_id__author_position__id_index"
  ON "articles_published" ("author_id", "author_position", "id");
CREATE VIRTUAL TABLE "articles_published__title__section_search" USING fts5(c1, c2, content='', tokenize='unicode61 remove_diacritics 0');
INSERT INTO "articles_published__title__section_search" (rowid, c1, c2)
  SELECT "id", "title", "section" FROM "articles_published";
INSERT INTO "articles_published__title__section_search" ("articles_published__title__section_search") VALUES ('optimize');
CREATE TRIGGER "articles_published__title__section_search_insert"
  AFTER INSERT ON "articles_published"
BEGIN
  INSERT INTO "articles_published__title__section_search" (rowid, c1, c2) VALUES (NEW."id", NEW."title", NEW."section");
END;
CREATE TRIGGER "articles_published__title__section_search_update"
  AFTER UPDATE OF "title", "section" ON "articles_published"
BEGIN
  INSERT INTO "articles_published__title__section_search" ("articles_published__title__section_search", rowid, c1, c2) VALUES ('delete', OLD."id", OLD."title", OLD."section");
  INSERT INTO "articles_published__title__section_search" (rowid, c1, c2) VALUES (NEW."id", NEW."title", NEW."section");
END;
CREATE TRIGGER "articles_published__title__section_search_delete"
  AFTER DELETE ON "articles_published"
BEGIN
  INSERT INTO "articles_published__title__section_search" ("articles_published__title__section_search", rowid, c1, c2) VALUES ('delete', OLD."id", OLD."title", OLD."section");
END;

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

-- article.related
CREATE TABLE "articles_related_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_related_links_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "articles_related_links_published__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "articles_related_links_published__owner_id__position___3ab7ad38"
  ON "articles_related_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "articles_related_links_published__target_id_index"
  ON "articles_related_links_published" ("target_id");

-- article
CREATE TABLE "articles_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "articles_component_links_published__owner_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "articles_component_links_published__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "tag_id" integer
    CONSTRAINT "articles_component_links_published__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "articles_component_links_published__owner_id__item_id__c20d1a0a"
  ON "articles_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "articles_component_links_published__article_id_index"
  ON "articles_component_links_published" ("article_id");
CREATE INDEX "articles_component_links_published__tag_id_index"
  ON "articles_component_links_published" ("tag_id");

-- front
CREATE TABLE "fronts" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "hero" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "fronts__document_id_unique"
  ON "fronts" ("document_id");
CREATE UNIQUE INDEX "fronts__singleton_unique"
  ON "fronts" ("singleton");

-- front.articles
CREATE TABLE "fronts_articles_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "fronts_articles_links__owner_id_fk" REFERENCES "fronts" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "fronts_articles_links__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "fronts_articles_links__owner_id__position__target_id_index"
  ON "fronts_articles_links" ("owner_id", "position", "target_id");
CREATE INDEX "fronts_articles_links__target_id_index"
  ON "fronts_articles_links" ("target_id");

-- front
CREATE TABLE "fronts_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "fronts_component_links__owner_id_fk" REFERENCES "fronts" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "fronts_component_links__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE
);
CREATE INDEX "fronts_component_links__owner_id__item_id__attribute___9fdef2d9"
  ON "fronts_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "fronts_component_links__article_id_index"
  ON "fronts_component_links" ("article_id");
CREATE TABLE "fronts_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "fronts_published__id_fk" REFERENCES "fronts" ("id") ON DELETE CASCADE,
  "hero" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "fronts_published__document_id_unique"
  ON "fronts_published" ("document_id");
CREATE UNIQUE INDEX "fronts_published__singleton_unique"
  ON "fronts_published" ("singleton");

-- front.articles
CREATE TABLE "fronts_articles_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "fronts_articles_links_published__owner_id_fk" REFERENCES "fronts" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "fronts_articles_links_published__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "fronts_articles_links_published__owner_id__position__t_6ee1a1e9"
  ON "fronts_articles_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "fronts_articles_links_published__target_id_index"
  ON "fronts_articles_links_published" ("target_id");

-- front
CREATE TABLE "fronts_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "fronts_component_links_published__owner_id_fk" REFERENCES "fronts" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "fronts_component_links_published__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE
);
CREATE INDEX "fronts_component_links_published__owner_id__item_id__a_59b9cbf8"
  ON "fronts_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "fronts_component_links_published__article_id_index"
  ON "fronts_component_links_published" ("article_id");

-- remark
CREATE TABLE "remarks" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL
);
CREATE UNIQUE INDEX "remarks__document_id_unique"
  ON "remarks" ("document_id");

-- remark.subject
CREATE TABLE "remarks_subject_morphs" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "remarks_subject_morphs__owner_id_fk" REFERENCES "remarks" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "remarks_subject_morphs__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "author_id" integer
    CONSTRAINT "remarks_subject_morphs__author_id_fk" REFERENCES "authors" ("id") ON DELETE CASCADE,
  "page_id" integer
    CONSTRAINT "remarks_subject_morphs__page_id_fk" REFERENCES "pages" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "remarks_subject_morphs__owner_id_unique"
  ON "remarks_subject_morphs" ("owner_id");
CREATE UNIQUE INDEX "remarks_subject_morphs__owner_id__article_id_unique"
  ON "remarks_subject_morphs" ("owner_id", "article_id");
CREATE UNIQUE INDEX "remarks_subject_morphs__owner_id__author_id_unique"
  ON "remarks_subject_morphs" ("owner_id", "author_id");
CREATE UNIQUE INDEX "remarks_subject_morphs__owner_id__page_id_unique"
  ON "remarks_subject_morphs" ("owner_id", "page_id");
CREATE INDEX "remarks_subject_morphs__article_id_index"
  ON "remarks_subject_morphs" ("article_id");
CREATE INDEX "remarks_subject_morphs__author_id_index"
  ON "remarks_subject_morphs" ("author_id");
CREATE INDEX "remarks_subject_morphs__page_id_index"
  ON "remarks_subject_morphs" ("page_id");

-- topic
CREATE TABLE "topics" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "rank" integer,
  "parent_id" integer
    CONSTRAINT "topics__parent_id_fk" REFERENCES "topics" ("id") ON DELETE SET NULL,
  "parent_position" integer,
  "fact" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "topics__document_id__locale_unique"
  ON "topics" ("document_id", "locale");
CREATE INDEX "topics__parent_id__parent_position__id_index"
  ON "topics" ("parent_id", "parent_position", "id");

-- topic.articles
CREATE TABLE "topics_articles_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "topics_articles_links__owner_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "topics_articles_links__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "topics_articles_links__owner_id__position__target_id_index"
  ON "topics_articles_links" ("owner_id", "position", "target_id");
CREATE INDEX "topics_articles_links__target_id__inverse_position__ow_01e73ae4"
  ON "topics_articles_links" ("target_id", "inverse_position", "owner_id");

-- topic
CREATE TABLE "topics_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "topics_component_links__owner_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "topics_component_links__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "topics_component_links__owner_id__item_id__attribute___8e96cda9"
  ON "topics_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "topics_component_links__tag_id_index"
  ON "topics_component_links" ("tag_id");
CREATE TABLE "topics_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "topics_published__id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE,
  "name" text,
  "rank" integer,
  "parent_id" integer
    CONSTRAINT "topics_published__parent_id_fk" REFERENCES "topics" ("id") ON DELETE SET NULL,
  "parent_position" integer,
  "fact" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "topics_published__document_id__locale_unique"
  ON "topics_published" ("document_id", "locale");
CREATE INDEX "topics_published__parent_id__parent_position__id_index"
  ON "topics_published" ("parent_id", "parent_position", "id");

-- topic.articles
CREATE TABLE "topics_articles_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "topics_articles_links_published__owner_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "topics_articles_links_published__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "topics_articles_links_published__owner_id__position__t_8da2861c"
  ON "topics_articles_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "topics_articles_links_published__target_id__inverse_po_983bcebc"
  ON "topics_articles_links_published" ("target_id", "inverse_position", "owner_id");

-- topic
CREATE TABLE "topics_component_links_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "topics_component_links_published__owner_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "tag_id" integer
    CONSTRAINT "topics_component_links_published__tag_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE
);
CREATE INDEX "topics_component_links_published__owner_id__item_id__a_6bf56438"
  ON "topics_component_links_published" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "topics_component_links_published__tag_id_index"
  ON "topics_component_links_published" ("tag_id");

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

-- events to be told
CREATE TABLE "outbox" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "receiver" text NOT NULL,
  "event" text NOT NULL,
  "subject" text NOT NULL,
  "entry_id" integer NOT NULL,
  "document_id" text,
  "entry_locale" text,
  "entry_version" integer NOT NULL,
  "actor" text NOT NULL,
  "request_id" text,
  "since" integer NOT NULL,
  "entry" text NOT NULL,
  "state" integer NOT NULL,
  "due_at" integer NOT NULL,
  "lease" text,
  "attempts" integer NOT NULL,
  "tries" text
);
CREATE INDEX "outbox__state__receiver__due_at__id_index"
  ON "outbox" ("state", "receiver", "due_at", "id");
CREATE INDEX "outbox__state__subject__entry_id_index"
  ON "outbox" ("state", "subject", "entry_id");

-- receivers of events
CREATE TABLE "outbox_receivers" (
  "name" text NOT NULL,
  "disabled_at" integer,
  "reason" text,
  "failures" integer NOT NULL,
  "paused_until" integer NOT NULL,
  PRIMARY KEY ("name")
) WITHOUT ROWID;

-- components, their ids
CREATE TABLE "component_ids" (
  "id" integer PRIMARY KEY AUTOINCREMENT
);
