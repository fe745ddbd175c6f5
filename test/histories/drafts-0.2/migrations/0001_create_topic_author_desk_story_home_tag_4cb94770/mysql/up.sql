-- 0001_create_topic_author_desk_story_home_tag_4cb94770: applied on MySQL and MariaDB

-- topic
CREATE TABLE `topics` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(255),
  `parent_id` bigint,
  `parent_position` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `topics__document_id_unique` (`document_id`),
  UNIQUE KEY `topics__name_unique` (`name`),
  KEY `topics__parent_id__parent_position__id_index` (`parent_id`, `parent_position`, `id`),
  CONSTRAINT `topics__parent_id_fk` FOREIGN KEY (`parent_id`) REFERENCES `topics` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- author
CREATE TABLE `authors` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(255),
  `partner_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `authors__document_id_unique` (`document_id`),
  UNIQUE KEY `authors__name_unique` (`name`),
  UNIQUE KEY `authors__partner_id_unique` (`partner_id`),
  CONSTRAINT `authors__partner_id_fk` FOREIGN KEY (`partner_id`) REFERENCES `topics` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- desk
CREATE TABLE `desks` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `head_id` bigint,
  `box` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `desks__document_id_unique` (`document_id`),
  UNIQUE KEY `desks__head_id_unique` (`head_id`),
  CONSTRAINT `desks__head_id_fk` FOREIGN KEY (`head_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- file
CREATE TABLE `files` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext NOT NULL,
  `alternative_text` longtext,
  `caption` longtext,
  `width` int,
  `height` int,
  `formats` longtext,
  `hash` longtext NOT NULL,
  `ext` longtext,
  `mime` longtext NOT NULL,
  `size` decimal(65,30) NOT NULL,
  `url` longtext NOT NULL,
  `preview_url` longtext,
  `provider` longtext NOT NULL,
  `provider_metadata` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `files__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- story
CREATE TABLE `stories` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `slug` varchar(255),
  `code` varchar(255),
  `size` decimal(65,30),
  `extra` longtext,
  `cover_id` bigint,
  `box` longtext,
  `parts` longtext,
  `author_id` bigint,
  `author_position` bigint,
  `next_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `stories__document_id__locale_unique` (`document_id`, `locale`),
  UNIQUE KEY `stories__slug__locale_unique` (`slug`, `locale`),
  UNIQUE KEY `stories__code__locale_unique` (`code`, `locale`),
  KEY `stories__cover_id_index` (`cover_id`),
  KEY `stories__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  KEY `stories__next_id_index` (`next_id`),
  CONSTRAINT `stories__cover_id_fk` FOREIGN KEY (`cover_id`) REFERENCES `files` (`id`) ON DELETE SET NULL,
  CONSTRAINT `stories__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL,
  CONSTRAINT `stories__next_id_fk` FOREIGN KEY (`next_id`) REFERENCES `stories` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- desk
CREATE TABLE `desks_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `file_id` bigint,
  `story_id` bigint,
  `topic_id` bigint,
  PRIMARY KEY (`id`),
  KEY `desks_component_links__owner_id__item_id__attribute__p_a2162d80` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `desks_component_links__file_id_index` (`file_id`),
  KEY `desks_component_links__story_id_index` (`story_id`),
  KEY `desks_component_links__topic_id_index` (`topic_id`),
  CONSTRAINT `desks_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `desks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `desks_component_links__file_id_fk` FOREIGN KEY (`file_id`) REFERENCES `files` (`id`) ON DELETE CASCADE,
  CONSTRAINT `desks_component_links__story_id_fk` FOREIGN KEY (`story_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `desks_component_links__topic_id_fk` FOREIGN KEY (`topic_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- home
CREATE TABLE `homes` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `box` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `singleton` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `homes__document_id_unique` (`document_id`),
  UNIQUE KEY `homes__singleton_unique` (`singleton`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- home.stories
CREATE TABLE `homes_stories_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `homes_stories_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `homes_stories_links__target_id_index` (`target_id`),
  CONSTRAINT `homes_stories_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `homes` (`id`) ON DELETE CASCADE,
  CONSTRAINT `homes_stories_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- home
CREATE TABLE `homes_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `file_id` bigint,
  `story_id` bigint,
  `topic_id` bigint,
  PRIMARY KEY (`id`),
  KEY `homes_component_links__owner_id__item_id__attribute__p_3ee2943b` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `homes_component_links__file_id_index` (`file_id`),
  KEY `homes_component_links__story_id_index` (`story_id`),
  KEY `homes_component_links__topic_id_index` (`topic_id`),
  CONSTRAINT `homes_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `homes` (`id`) ON DELETE CASCADE,
  CONSTRAINT `homes_component_links__file_id_fk` FOREIGN KEY (`file_id`) REFERENCES `files` (`id`) ON DELETE CASCADE,
  CONSTRAINT `homes_component_links__story_id_fk` FOREIGN KEY (`story_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `homes_component_links__topic_id_fk` FOREIGN KEY (`topic_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- story.gallery
CREATE TABLE `stories_gallery_files` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `stories_gallery_files__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `stories_gallery_files__target_id_index` (`target_id`),
  CONSTRAINT `stories_gallery_files__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stories_gallery_files__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `files` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- tag
CREATE TABLE `tags` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(255),
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `tags__document_id_unique` (`document_id`),
  UNIQUE KEY `tags__name_unique` (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- story.tags
CREATE TABLE `stories_tags_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `stories_tags_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `stories_tags_links__target_id__inverse_position__owner_id_index` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `stories_tags_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stories_tags_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- story.topics
CREATE TABLE `stories_topics_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `stories_topics_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `stories_topics_links__target_id__inverse_position__own_2f5b51e4` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `stories_topics_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stories_topics_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- story.sources
CREATE TABLE `stories_sources_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `stories_sources_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `stories_sources_links__target_id_index` (`target_id`),
  CONSTRAINT `stories_sources_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stories_sources_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `authors` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- story
CREATE TABLE `stories_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `file_id` bigint,
  `story_id` bigint,
  `topic_id` bigint,
  PRIMARY KEY (`id`),
  KEY `stories_component_links__owner_id__item_id__attribute__0b2c2b86` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `stories_component_links__file_id_index` (`file_id`),
  KEY `stories_component_links__story_id_index` (`story_id`),
  KEY `stories_component_links__topic_id_index` (`topic_id`),
  CONSTRAINT `stories_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stories_component_links__file_id_fk` FOREIGN KEY (`file_id`) REFERENCES `files` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stories_component_links__story_id_fk` FOREIGN KEY (`story_id`) REFERENCES `stories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `stories_component_links__topic_id_fk` FOREIGN KEY (`topic_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- user-role
CREATE TABLE `user_roles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext NOT NULL,
  `description` longtext,
  `type` varchar(255) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `user_roles__type_unique` (`type`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- user
CREATE TABLE `users` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `username` varchar(255) NOT NULL,
  `email` varchar(255) NOT NULL,
  `provider` longtext,
  `password` varchar(255),
  `reset_password_token` varchar(255),
  `reset_password_expires_at` datetime(3),
  `confirmation_token` varchar(255),
  `confirmation_expires_at` datetime(3),
  `confirmed` boolean DEFAULT 0,
  `blocked` boolean DEFAULT 0,
  `token_generation` int NOT NULL DEFAULT 0,
  `kept_session` longtext,
  `role_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users__document_id_unique` (`document_id`),
  UNIQUE KEY `users__username_unique` (`username`),
  UNIQUE KEY `users__email_unique` (`email`),
  UNIQUE KEY `users__reset_password_token_unique` (`reset_password_token`),
  UNIQUE KEY `users__confirmation_token_unique` (`confirmation_token`),
  KEY `users__role_id_index` (`role_id`),
  CONSTRAINT `users__role_id_fk` FOREIGN KEY (`role_id`) REFERENCES `user_roles` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- roles, what they may do
CREATE TABLE `user_role_permissions` (
  `role_id` bigint NOT NULL,
  `action` varchar(255) NOT NULL,
  PRIMARY KEY (`role_id`, `action`),
  CONSTRAINT `user_role_permissions__role_id_fk` FOREIGN KEY (`role_id`) REFERENCES `user_roles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- API tokens
CREATE TABLE `api_tokens` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  `kind` varchar(255) NOT NULL,
  `hash` varchar(255) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `expires_at` datetime(3),
  `last_used_at` datetime(3),
  `user_id` bigint,
  PRIMARY KEY (`id`),
  UNIQUE KEY `api_tokens__name_unique` (`name`),
  UNIQUE KEY `api_tokens__hash_unique` (`hash`),
  KEY `api_tokens__user_id_index` (`user_id`),
  CONSTRAINT `api_tokens__user_id_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- API tokens, what they may do
CREATE TABLE `api_token_permissions` (
  `token_id` bigint NOT NULL,
  `action` varchar(255) NOT NULL,
  PRIMARY KEY (`token_id`, `action`),
  CONSTRAINT `api_token_permissions__token_id_fk` FOREIGN KEY (`token_id`) REFERENCES `api_tokens` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- changes of roles and permissions
CREATE TABLE `access_changes` (
  `name` varchar(255) NOT NULL,
  `version` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- limits of tries
CREATE TABLE `rate_limits` (
  `name` varchar(255) NOT NULL,
  `tries` int NOT NULL,
  `expires_at` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- stored files without an entry
CREATE TABLE `pending_files` (
  `name` varchar(255) NOT NULL,
  `provider` varchar(255) NOT NULL,
  `removing` int NOT NULL,
  `since` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- components, their ids
CREATE TABLE `component_ids` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
