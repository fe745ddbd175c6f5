-- 0001_create_author_article_tag_page_f12dfbfe: applied on MySQL and MariaDB

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

-- author
CREATE TABLE `authors` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `authors__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `note` longtext,
  `cover_id` bigint,
  `author_id` bigint,
  `author_position` bigint,
  `facts` longtext,
  `body` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `articles__document_id_unique` (`document_id`),
  KEY `articles__cover_id_index` (`cover_id`),
  KEY `articles__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  CONSTRAINT `articles__cover_id_fk` FOREIGN KEY (`cover_id`) REFERENCES `files` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- tag
CREATE TABLE `tags` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `tags__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article.tags
CREATE TABLE `articles_tags_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `articles_tags_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `articles_tags_links__target_id__inverse_position__owne_6cbfe3cb` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `articles_tags_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_tags_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `file_id` bigint,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `articles_component_links__owner_id__item_id__attribute_7a0c0b48` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `articles_component_links__file_id_index` (`file_id`),
  KEY `articles_component_links__tag_id_index` (`tag_id`),
  CONSTRAINT `articles_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links__file_id_fk` FOREIGN KEY (`file_id`) REFERENCES `files` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `articles_published` (
  `id` bigint NOT NULL,
  `title` longtext,
  `note` longtext,
  `cover_id` bigint,
  `author_id` bigint,
  `author_position` bigint,
  `facts` longtext,
  `body` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `articles_published__document_id_unique` (`document_id`),
  KEY `articles_published__cover_id_index` (`cover_id`),
  KEY `articles_published__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  CONSTRAINT `articles_published__id_fk` FOREIGN KEY (`id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_published__cover_id_fk` FOREIGN KEY (`cover_id`) REFERENCES `files` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles_published__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article.tags
CREATE TABLE `articles_tags_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `articles_tags_links_published__owner_id__position__tar_97f84df8` (`owner_id`, `position`, `target_id`),
  KEY `articles_tags_links_published__target_id__inverse_posi_89c07dd0` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `articles_tags_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_tags_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles_component_links_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `file_id` bigint,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `articles_component_links_published__owner_id__item_id__c20d1a0a` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `articles_component_links_published__file_id_index` (`file_id`),
  KEY `articles_component_links_published__tag_id_index` (`tag_id`),
  CONSTRAINT `articles_component_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links_published__file_id_fk` FOREIGN KEY (`file_id`) REFERENCES `files` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links_published__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- page
CREATE TABLE `pages` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `pages__document_id__locale_unique` (`document_id`, `locale`)
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

-- rate limits
CREATE TABLE `rate_limits` (
  `name` varchar(255) NOT NULL,
  `tries` int NOT NULL,
  `expires_at` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- requests with an Idempotency-Key
CREATE TABLE `idempotency_keys` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `request_key` varchar(255) NOT NULL,
  `payload` varchar(255) NOT NULL,
  `since` bigint NOT NULL,
  `status` int,
  `etag` varchar(255),
  `body` longtext,
  PRIMARY KEY (`id`),
  UNIQUE KEY `idempotency_keys__request_key_unique` (`request_key`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- events to be told
CREATE TABLE `outbox` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `receiver` varchar(255) NOT NULL,
  `event` varchar(255) NOT NULL,
  `subject` varchar(255) NOT NULL,
  `entry_id` bigint NOT NULL,
  `document_id` varchar(255),
  `entry_locale` varchar(255),
  `entry_version` bigint NOT NULL,
  `actor` varchar(255) NOT NULL,
  `request_id` varchar(255),
  `since` bigint NOT NULL,
  `entry` longtext NOT NULL,
  `state` int NOT NULL,
  `due_at` bigint NOT NULL,
  `lease` varchar(255),
  `attempts` int NOT NULL,
  `tries` longtext,
  PRIMARY KEY (`id`),
  KEY `outbox__state__receiver__due_at__id_index` (`state`, `receiver`, `due_at`, `id`),
  KEY `outbox__state__subject__entry_id_index` (`state`, `subject`, `entry_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- receivers of events
CREATE TABLE `outbox_receivers` (
  `name` varchar(255) NOT NULL,
  `disabled_at` bigint,
  `reason` longtext,
  `failures` int NOT NULL,
  `paused_until` bigint NOT NULL,
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
