-- 0001_create_topic_author_desk_story_home_tag_4cb94770: undone on MySQL and MariaDB

-- components, their ids
DROP TABLE `component_ids`;

-- stored files without an entry
DROP TABLE `pending_files`;

-- limits of tries
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

-- story
DROP TABLE `stories_component_links`;

-- story.sources
DROP TABLE `stories_sources_links`;

-- story.topics
DROP TABLE `stories_topics_links`;

-- story.tags
DROP TABLE `stories_tags_links`;

-- tag
DROP TABLE `tags`;

-- story.gallery
DROP TABLE `stories_gallery_files`;

-- home
DROP TABLE `homes_component_links`;

-- home.stories
DROP TABLE `homes_stories_links`;

-- home
DROP TABLE `homes`;

-- desk
DROP TABLE `desks_component_links`;

-- story
DROP TABLE `stories`;

-- file
DROP TABLE `files`;

-- desk
DROP TABLE `desks`;

-- author
DROP TABLE `authors`;

-- topic
DROP TABLE `topics`;
