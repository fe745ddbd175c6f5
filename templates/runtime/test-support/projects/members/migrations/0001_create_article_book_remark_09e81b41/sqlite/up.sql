-- 0001_create_article_book_remark_09e81b41: applied on SQLite

-- article
CREATE TABLE "articles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "articles__document_id__locale_unique"
  ON "articles" ("document_id", "locale");
CREATE TABLE "articles_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "articles_published__id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "title" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL,
  "locale" text NOT NULL
);
CREATE UNIQUE INDEX "articles_published__document_id__locale_unique"
  ON "articles_published" ("document_id", "locale");

-- book
CREATE TABLE "books" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);

-- remark
CREATE TABLE "remarks" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text
);

-- remark.subject
CREATE TABLE "remarks_subject_morphs" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "remarks_subject_morphs__owner_id_fk" REFERENCES "remarks" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "remarks_subject_morphs__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "book_id" integer
    CONSTRAINT "remarks_subject_morphs__book_id_fk" REFERENCES "books" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "remarks_subject_morphs__owner_id_unique"
  ON "remarks_subject_morphs" ("owner_id");
CREATE UNIQUE INDEX "remarks_subject_morphs__owner_id__article_id_unique"
  ON "remarks_subject_morphs" ("owner_id", "article_id");
CREATE UNIQUE INDEX "remarks_subject_morphs__owner_id__book_id_unique"
  ON "remarks_subject_morphs" ("owner_id", "book_id");
CREATE INDEX "remarks_subject_morphs__article_id_index"
  ON "remarks_subject_morphs" ("article_id");
CREATE INDEX "remarks_subject_morphs__book_id_index"
  ON "remarks_subject_morphs" ("book_id");

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
  "nickname" text,
  "code" text,
  "karma" integer DEFAULT 7,
  "level" integer DEFAULT 1,
  "checked" integer,
  "extra" text,
  "friend_id" integer
    CONSTRAINT "users__friend_id_fk" REFERENCES "users" ("id") ON DELETE SET NULL,
  "friend_position" integer,
  "address" text,
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
CREATE UNIQUE INDEX "users__code_unique"
  ON "users" ("code");
CREATE INDEX "users__friend_id__friend_position__id_index"
  ON "users" ("friend_id", "friend_position", "id");

-- remark.about
CREATE TABLE "remarks_about_morphs" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "remarks_about_morphs__owner_id_fk" REFERENCES "remarks" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "remarks_about_morphs__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "book_id" integer
    CONSTRAINT "remarks_about_morphs__book_id_fk" REFERENCES "books" ("id") ON DELETE CASCADE,
  "user_id" integer
    CONSTRAINT "remarks_about_morphs__user_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE INDEX "remarks_about_morphs__owner_id__position_index"
  ON "remarks_about_morphs" ("owner_id", "position");
CREATE UNIQUE INDEX "remarks_about_morphs__owner_id__article_id_unique"
  ON "remarks_about_morphs" ("owner_id", "article_id");
CREATE UNIQUE INDEX "remarks_about_morphs__owner_id__book_id_unique"
  ON "remarks_about_morphs" ("owner_id", "book_id");
CREATE UNIQUE INDEX "remarks_about_morphs__owner_id__user_id_unique"
  ON "remarks_about_morphs" ("owner_id", "user_id");
CREATE INDEX "remarks_about_morphs__article_id_index"
  ON "remarks_about_morphs" ("article_id");
CREATE INDEX "remarks_about_morphs__book_id_index"
  ON "remarks_about_morphs" ("book_id");
CREATE INDEX "remarks_about_morphs__user_id_index"
  ON "remarks_about_morphs" ("user_id");

-- remark
CREATE TABLE "remarks_published" (
  "id" integer PRIMARY KEY
    CONSTRAINT "remarks_published__id_fk" REFERENCES "remarks" ("id") ON DELETE CASCADE,
  "text" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text
);

-- remark.subject
CREATE TABLE "remarks_subject_morphs_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "remarks_subject_morphs_published__owner_id_fk" REFERENCES "remarks" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "remarks_subject_morphs_published__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "book_id" integer
    CONSTRAINT "remarks_subject_morphs_published__book_id_fk" REFERENCES "books" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "remarks_subject_morphs_published__owner_id_unique"
  ON "remarks_subject_morphs_published" ("owner_id");
CREATE UNIQUE INDEX "remarks_subject_morphs_published__owner_id__article_id_unique"
  ON "remarks_subject_morphs_published" ("owner_id", "article_id");
CREATE UNIQUE INDEX "remarks_subject_morphs_published__owner_id__book_id_unique"
  ON "remarks_subject_morphs_published" ("owner_id", "book_id");
CREATE INDEX "remarks_subject_morphs_published__article_id_index"
  ON "remarks_subject_morphs_published" ("article_id");
CREATE INDEX "remarks_subject_morphs_published__book_id_index"
  ON "remarks_subject_morphs_published" ("book_id");

-- remark.about
CREATE TABLE "remarks_about_morphs_published" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "remarks_about_morphs_published__owner_id_fk" REFERENCES "remarks" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "article_id" integer
    CONSTRAINT "remarks_about_morphs_published__article_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "book_id" integer
    CONSTRAINT "remarks_about_morphs_published__book_id_fk" REFERENCES "books" ("id") ON DELETE CASCADE,
  "user_id" integer
    CONSTRAINT "remarks_about_morphs_published__user_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE
);
CREATE INDEX "remarks_about_morphs_published__owner_id__position_index"
  ON "remarks_about_morphs_published" ("owner_id", "position");
CREATE UNIQUE INDEX "remarks_about_morphs_published__owner_id__article_id_unique"
  ON "remarks_about_morphs_published" ("owner_id", "article_id");
CREATE UNIQUE INDEX "remarks_about_morphs_published__owner_id__book_id_unique"
  ON "remarks_about_morphs_published" ("owner_id", "book_id");
CREATE UNIQUE INDEX "remarks_about_morphs_published__owner_id__user_id_unique"
  ON "remarks_about_morphs_published" ("owner_id", "user_id");
CREATE INDEX "remarks_about_morphs_published__article_id_index"
  ON "remarks_about_morphs_published" ("article_id");
CREATE INDEX "remarks_about_morphs_published__book_id_index"
  ON "remarks_about_morphs_published" ("book_id");
CREATE INDEX "remarks_about_morphs_published__user_id_index"
  ON "remarks_about_morphs_published" ("user_id");

-- user.shelf
CREATE TABLE "users_shelf_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "users_shelf_links__owner_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "users_shelf_links__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "users_shelf_links__owner_id__position__target_id_index"
  ON "users_shelf_links" ("owner_id", "position", "target_id");
CREATE INDEX "users_shelf_links__target_id__inverse_position__owner_id_index"
  ON "users_shelf_links" ("target_id", "inverse_position", "owner_id");
CREATE TABLE "users_shelf_links_published" (
  "owner_id" integer NOT NULL
    CONSTRAINT "users_shelf_links_published__owner_id_fk" REFERENCES "users" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "users_shelf_links_published__target_id_fk" REFERENCES "articles" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "users_shelf_links_published__owner_id__position__targe_46f00dab"
  ON "users_shelf_links_published" ("owner_id", "position", "target_id");
CREATE INDEX "users_shelf_links_published__target_id__inverse_positi_af674214"
  ON "users_shelf_links_published" ("target_id", "inverse_position", "owner_id");

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
