-- 0001_create_topic_author_desk_story_home_tag_4cb94770: applied on SQLite

-- topic
CREATE TABLE "topics" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "parent_id" integer
    CONSTRAINT "topics__parent_id_fk" REFERENCES "topics" ("id") ON DELETE SET NULL,
  "parent_position" integer,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "topics__document_id_unique"
  ON "topics" ("document_id");
CREATE UNIQUE INDEX "topics__name_unique"
  ON "topics" ("name");
CREATE INDEX "topics__parent_id__parent_position__id_index"
  ON "topics" ("parent_id", "parent_position", "id");

-- author
CREATE TABLE "authors" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "partner_id" integer
    CONSTRAINT "authors__partner_id_fk" REFERENCES "topics" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "authors__document_id_unique"
  ON "authors" ("document_id");
CREATE UNIQUE INDEX "authors__name_unique"
  ON "authors" ("name");
CREATE UNIQUE INDEX "authors__partner_id_unique"
  ON "authors" ("partner_id");

-- desk
CREATE TABLE "desks" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "head_id" integer
    CONSTRAINT "desks__head_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "box" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "desks__document_id_unique"
  ON "desks" ("document_id");
CREATE UNIQUE INDEX "desks__head_id_unique"
  ON "desks" ("head_id");

-- file
CREATE TABLE "files" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text NOT NULL DEFAULT '',
  "alternative_text" text,
  "caption" text,
  "width" integer,
  "height" integer,
  "formats" text,
  "hash" text NOT NULL DEFAULT '',
  "ext" text,
  "mime" text NOT NULL DEFAULT '',
  "size" text NOT NULL DEFAULT '0',
  "url" text NOT NULL DEFAULT '',
  "preview_url" text,
  "provider" text NOT NULL DEFAULT '',
  "provider_metadata" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "files__document_id_unique"
  ON "files" ("document_id");

-- story
CREATE TABLE "stories" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "slug" text,
  "code" text,
  "size" text,
  "extra" text,
  "cover_id" integer
    CONSTRAINT "stories__cover_id_fk" REFERENCES "files" ("id") ON DELETE SET NULL,
  "box" text,
  "parts" text,
  "author_id" integer
    CONSTRAINT "stories__author_id_fk" REFERENCES "authors" ("id") ON DELETE SET NULL,
  "author_position" integer,
  "next_id" integer
    CONSTRAINT "stories__next_id_fk" REFERENCES "stories" ("id") ON DELETE SET NULL,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL DEFAULT '',
  "locale" text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "stories__document_id__locale_unique"
  ON "stories" ("document_id", "locale");
CREATE UNIQUE INDEX "stories__slug__locale_unique"
  ON "stories" ("slug", "locale");
CREATE UNIQUE INDEX "stories__code__locale_unique"
  ON "stories" ("code", "locale");
CREATE INDEX "stories__cover_id_index"
  ON "stories" ("cover_id");
CREATE INDEX "stories__author_id__author_position__id_index"
  ON "stories" ("author_id", "author_position", "id");
CREATE INDEX "stories__next_id_index"
  ON "stories" ("next_id");

-- desk
CREATE TABLE "desks_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "desks_component_links__owner_id_fk" REFERENCES "desks" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "file_id" integer
    CONSTRAINT "desks_component_links__file_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE,
  "story_id" integer
    CONSTRAINT "desks_component_links__story_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "topic_id" integer
    CONSTRAINT "desks_component_links__topic_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE
);
CREATE INDEX "desks_component_links__owner_id__item_id__attribute__p_a2162d80"
  ON "desks_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "desks_component_links__file_id_index"
  ON "desks_component_links" ("file_id");
CREATE INDEX "desks_component_links__story_id_index"
  ON "desks_component_links" ("story_id");
CREATE INDEX "desks_component_links__topic_id_index"
  ON "desks_component_links" ("topic_id");

-- home
CREATE TABLE "homes" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "title" text,
  "box" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "published_at" text,
  "document_id" text NOT NULL DEFAULT '',
  "singleton" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "homes__document_id_unique"
  ON "homes" ("document_id");
CREATE UNIQUE INDEX "homes__singleton_unique"
  ON "homes" ("singleton");

-- home.stories
CREATE TABLE "homes_stories_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "homes_stories_links__owner_id_fk" REFERENCES "homes" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "homes_stories_links__target_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "homes_stories_links__owner_id__position__target_id_index"
  ON "homes_stories_links" ("owner_id", "position", "target_id");
CREATE INDEX "homes_stories_links__target_id_index"
  ON "homes_stories_links" ("target_id");

-- home
CREATE TABLE "homes_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "homes_component_links__owner_id_fk" REFERENCES "homes" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "file_id" integer
    CONSTRAINT "homes_component_links__file_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE,
  "story_id" integer
    CONSTRAINT "homes_component_links__story_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "topic_id" integer
    CONSTRAINT "homes_component_links__topic_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE
);
CREATE INDEX "homes_component_links__owner_id__item_id__attribute__p_3ee2943b"
  ON "homes_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "homes_component_links__file_id_index"
  ON "homes_component_links" ("file_id");
CREATE INDEX "homes_component_links__story_id_index"
  ON "homes_component_links" ("story_id");
CREATE INDEX "homes_component_links__topic_id_index"
  ON "homes_component_links" ("topic_id");

-- story.gallery
CREATE TABLE "stories_gallery_files" (
  "owner_id" integer NOT NULL
    CONSTRAINT "stories_gallery_files__owner_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "stories_gallery_files__target_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "stories_gallery_files__owner_id__position__target_id_index"
  ON "stories_gallery_files" ("owner_id", "position", "target_id");
CREATE INDEX "stories_gallery_files__target_id_index"
  ON "stories_gallery_files" ("target_id");

-- tag
CREATE TABLE "tags" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text,
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1,
  "document_id" text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "tags__document_id_unique"
  ON "tags" ("document_id");
CREATE UNIQUE INDEX "tags__name_unique"
  ON "tags" ("name");

-- story.tags
CREATE TABLE "stories_tags_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "stories_tags_links__owner_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "stories_tags_links__target_id_fk" REFERENCES "tags" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL DEFAULT 0,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "stories_tags_links__owner_id__position__target_id_index"
  ON "stories_tags_links" ("owner_id", "position", "target_id");
CREATE INDEX "stories_tags_links__target_id__inverse_position__owner_id_index"
  ON "stories_tags_links" ("target_id", "inverse_position", "owner_id");

-- story.topics
CREATE TABLE "stories_topics_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "stories_topics_links__owner_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "stories_topics_links__target_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  "inverse_position" integer NOT NULL DEFAULT 0,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "stories_topics_links__owner_id__position__target_id_index"
  ON "stories_topics_links" ("owner_id", "position", "target_id");
CREATE INDEX "stories_topics_links__target_id__inverse_position__own_2f5b51e4"
  ON "stories_topics_links" ("target_id", "inverse_position", "owner_id");

-- story.sources
CREATE TABLE "stories_sources_links" (
  "owner_id" integer NOT NULL
    CONSTRAINT "stories_sources_links__owner_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "target_id" integer NOT NULL
    CONSTRAINT "stories_sources_links__target_id_fk" REFERENCES "authors" ("id") ON DELETE CASCADE,
  "position" integer NOT NULL,
  PRIMARY KEY ("owner_id", "target_id")
) WITHOUT ROWID;
CREATE INDEX "stories_sources_links__owner_id__position__target_id_index"
  ON "stories_sources_links" ("owner_id", "position", "target_id");
CREATE INDEX "stories_sources_links__target_id_index"
  ON "stories_sources_links" ("target_id");

-- story
CREATE TABLE "stories_component_links" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "owner_id" integer NOT NULL
    CONSTRAINT "stories_component_links__owner_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "item_id" integer NOT NULL,
  "attribute" text NOT NULL,
  "position" integer NOT NULL,
  "file_id" integer
    CONSTRAINT "stories_component_links__file_id_fk" REFERENCES "files" ("id") ON DELETE CASCADE,
  "story_id" integer
    CONSTRAINT "stories_component_links__story_id_fk" REFERENCES "stories" ("id") ON DELETE CASCADE,
  "topic_id" integer
    CONSTRAINT "stories_component_links__topic_id_fk" REFERENCES "topics" ("id") ON DELETE CASCADE
);
CREATE INDEX "stories_component_links__owner_id__item_id__attribute__0b2c2b86"
  ON "stories_component_links" ("owner_id", "item_id", "attribute", "position");
CREATE INDEX "stories_component_links__file_id_index"
  ON "stories_component_links" ("file_id");
CREATE INDEX "stories_component_links__story_id_index"
  ON "stories_component_links" ("story_id");
CREATE INDEX "stories_component_links__topic_id_index"
  ON "stories_component_links" ("topic_id");

-- user-role
CREATE TABLE "user_roles" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "name" text NOT NULL DEFAULT '',
  "description" text,
  "type" text NOT NULL DEFAULT '',
  "created_at" text NOT NULL,
  "updated_at" text NOT NULL,
  "_version" integer NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX "user_roles__type_unique"
  ON "user_roles" ("type");

-- user
CREATE TABLE "users" (
  "id" integer PRIMARY KEY AUTOINCREMENT,
  "username" text NOT NULL DEFAULT '',
  "email" text NOT NULL DEFAULT '',
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
  "document_id" text NOT NULL DEFAULT ''
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

-- limits of tries
CREATE TABLE "rate_limits" (
  "name" text NOT NULL,
  "tries" integer NOT NULL,
  "expires_at" integer NOT NULL,
  PRIMARY KEY ("name")
) WITHOUT ROWID;

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
