-- 0001_create_author_badge_piece_desk_tag_home_page_2b75c538: undone on MySQL and MariaDB

-- piece
ALTER TABLE `pieces`
  DROP FOREIGN KEY `pieces__desk_id_fk`;

-- components, their ids
DROP TABLE `component_ids`;

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

-- tag
DROP TABLE `tags_published`;

-- piece
DROP TABLE `pieces_component_links_published`;

-- piece.about
DROP TABLE `pieces_about_morphs_published`;

-- piece.see
DROP TABLE `pieces_see_links_published`;

-- piece.tags
DROP TABLE `pieces_tags_links_published`;

-- piece
DROP TABLE `pieces_published`;
DROP TABLE `pieces_component_links`;

-- piece.about
DROP TABLE `pieces_about_morphs`;

-- piece.see
DROP TABLE `pieces_see_links`;

-- piece.tags
DROP TABLE `pieces_tags_links`;

-- page
DROP TABLE `pages_component_links_published`;

-- page.tags
DROP TABLE `pages_tags_links_published`;

-- page
DROP TABLE `pages_published`;
DROP TABLE `pages_component_links`;

-- page.tags
DROP TABLE `pages_tags_links`;

-- page
DROP TABLE `pages`;

-- home
DROP TABLE `homes_published`;
DROP TABLE `homes`;

-- desk.tags
DROP TABLE `desks_tags_links_published`;
DROP TABLE `desks_tags_links`;

-- tag
DROP TABLE `tags`;

-- desk
DROP TABLE `desks`;

-- piece
DROP TABLE `pieces`;

-- badge
DROP TABLE `badges_published`;
DROP TABLE `badges`;

-- author
DROP TABLE `authors_published`;
DROP TABLE `authors`;
