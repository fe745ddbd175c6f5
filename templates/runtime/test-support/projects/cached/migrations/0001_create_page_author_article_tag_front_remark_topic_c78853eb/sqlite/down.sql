-- 0001_create_page_author_article_tag_front_remark_topic_c78853eb: undone on SQLite

-- components, their ids
DROP TABLE "component_ids";

-- receivers of events
DROP TABLE "outbox_receivers";

-- events to be told
DROP TABLE "outbox";

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

-- topic
DROP TABLE "topics_component_links_published";

-- topic.articles
DROP TABLE "topics_articles_links_published";

-- topic
DROP TABLE "topics_published";
DROP TABLE "topics_component_links";

-- topic.articles
DROP TABLE "topics_articles_links";

-- topic
DROP TABLE "topics";

-- remark.subject
DROP TABLE "remarks_subject_morphs";

-- remark
DROP TABLE "remarks";

-- front
DROP TABLE "fronts_component_links_published";

-- front.articles
DROP TABLE "fronts_articles_links_published";

-- front
DROP TABLE "fronts_published";
DROP TABLE "fronts_component_links";

-- front.articles
DROP TABLE "fronts_articles_links";

-- front
DROP TABLE "fronts";

-- article
DROP TABLE "articles_component_links_published";

-- article.related
DROP TABLE "articles_related_links_published";

-- article.tags
DROP TABLE "articles_tags_links_published";

-- article
DROP TRIGGER "articles_published__title__section_search_insert";
DROP TRIGGER "articles_published__title__section_search_update";
DROP TRIGGER "articles_published__title__section_search_delete";
DROP TABLE "articles_published__title__section_search";
DROP TABLE "articles_published";
DROP TABLE "articles_component_links";

-- article.related
DROP TABLE "articles_related_links";

-- article.tags
DROP TABLE "articles_tags_links";

-- tag
DROP TABLE "tags";

-- article
DROP TRIGGER "articles__title__section_search_insert";
DROP TRIGGER "articles__title__section_search_update";
DROP TRIGGER "articles__title__section_search_delete";
DROP TABLE "articles__title__section_search";
DROP TABLE "articles";

-- author
DROP TABLE "authors";

-- page
DROP TABLE "pages";
