-- 0001_create_author_badge_article_tag_home_page_plain_718e4515: undone on MySQL and MariaDB

-- components, their ids
DROP TABLE `component_ids`;

-- stored files without an entry
DROP TABLE `pending_files`;

-- versions of entries
DROP TABLE `content_history`;

-- requests with an Idempotency-Key
DROP TABLE `idempotency_keys`;

-- rate limits
DROP TABLE `rate_limits`;

-- changes of roles and permissions
DROP TABLE `access_changes`;

-- API tokens, what they may do
DROP TABLE `api_token_permissions`;

-- API tokens
DROP TABLE `api_tokens`;

-- roles, what they may do
DROP TABLE `user_role_permissions`;

-- user
DROP TABLE `users`;

-- user-role
DROP TABLE `user_roles`;

-- plain.articles
DROP TABLE `plains_articles_links`;

-- plain
DROP TABLE `plains`;

-- page.tags
DROP TABLE `pages_tags_links`;

-- page
DROP TABLE `pages`;

-- home.tags
DROP TABLE `homes_tags_links`;

-- home
DROP TABLE `homes`;

-- article
DROP TABLE `articles_component_links_published`;

-- article.about
DROP TABLE `articles_about_morphs_published`;

-- article.tags
DROP TABLE `articles_tags_links_published`;

-- article
DROP TABLE `articles_published`;
DROP TABLE `articles_component_links`;

-- article.about
DROP TABLE `articles_about_morphs`;

-- article.tags
DROP TABLE `articles_tags_links`;

-- tag
DROP TABLE `tags`;

-- article
DROP TABLE `articles`;

-- badge
DROP TABLE `badges`;

-- author
DROP TABLE `authors`;

-- file
DROP TABLE `files`;
