-- 0001_create_author_article_tag_home_page_passport_remark_and_more_39ed1adb: undone on PostgreSQL

-- components, their ids
DROP TABLE "component_ids";

-- stored files without an entry
DROP TABLE "pending_files";

-- requests with an Idempotency-Key
DROP TABLE "idempotency_keys";

-- rate limits
DROP TABLE "rate_limits";

-- changes of roles and permissions
DROP TABLE "access_changes";

-- API tokens, what they may do
DROP TABLE "api_token_permissions";

-- API tokens
DROP TABLE "api_tokens";

-- roles, what they may do
DROP TABLE "user_role_permissions";

-- user
DROP TABLE "users";

-- user-role
DROP TABLE "user_roles";

-- welcome
DROP TABLE "welcomes";

-- vault
DROP TABLE "vaults";

-- remark
DROP TABLE "remarks";

-- passport
DROP TABLE "passports";

-- page.images
DROP TABLE "pages_images_files";

-- page.tags
DROP TABLE "pages_tags_links";

-- page
DROP TABLE "pages";

-- home
DROP TABLE "homes_published";
DROP TABLE "homes";

-- article
DROP TABLE "articles_component_links_published";

-- article.tags
DROP TABLE "articles_tags_links_published";

-- article.gallery
DROP TABLE "articles_gallery_files_published";

-- article
DROP TABLE "articles_published";
DROP TABLE "articles_component_links";

-- article.tags
DROP TABLE "articles_tags_links";

-- tag
DROP TABLE "tags";

-- article.gallery
DROP TABLE "articles_gallery_files";

-- article
DROP TABLE "articles";

-- author
DROP TABLE "authors";

-- file
DROP TABLE "files";
