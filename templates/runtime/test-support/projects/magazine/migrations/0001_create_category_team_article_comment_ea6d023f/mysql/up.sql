-- 0001_create_category_team_article_comment_ea6d023f: applied on MySQL and MariaDB

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
  `desk` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users__username_unique` (`username`),
  UNIQUE KEY `users__email_unique` (`email`),
  UNIQUE KEY `users__reset_password_token_unique` (`reset_password_token`),
  UNIQUE KEY `users__confirmation_token_unique` (`confirmation_token`),
  KEY `users__role_id_index` (`role_id`),
  CONSTRAINT `users__role_id_fk` FOREIGN KEY (`role_id`) REFERENCES `user_roles` (`id`) ON DELETE SET NULL
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
  `hash` varchar(255) NOT NULL,
  `ext` longtext,
  `mime` longtext NOT NULL,
  `size` decimal(65,30) NOT NULL,
  `url` longtext NOT NULL,
  `preview_url` longtext,
  `provider` longtext NOT NULL,
  `provider_metadata` longtext,
  `uploaded_by_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  KEY `files__uploaded_by_id_index` (`uploaded_by_id`),
  KEY `files__hash_sort` (`hash`, `id`),
  KEY `files__hash_sort_turned` (`hash` DESC, `id`),
  CONSTRAINT `files__uploaded_by_id_fk` FOREIGN KEY (`uploaded_by_id`) REFERENCES `users` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- category
CREATE TABLE `categories` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `categories__name_unique` (`name`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- team
CREATE TABLE `teams` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext NOT NULL,
  `desk` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `body` longtext,
  `visibility` varchar(255) DEFAULT 'public',
  `featured` boolean DEFAULT 0,
  `embargo` datetime(3),
  `cover_id` bigint,
  `note` longtext,
  `author_id` bigint,
  `author_position` bigint,
  `category_id` bigint,
  `category_position` bigint,
  `team_id` bigint,
  `team_position` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  PRIMARY KEY (`id`),
  KEY `articles__cover_id_index` (`cover_id`),
  KEY `articles__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  KEY `articles__category_id__category_position__id_index` (`category_id`, `category_position`, `id`),
  KEY `articles__team_id__team_position__id_index` (`team_id`, `team_position`, `id`),
  KEY `articles__visibility_sort` (`visibility`, `id`),
  KEY `articles__visibility_sort_turned` (`visibility` DESC, `id`),
  KEY `articles__embargo_sort` (`embargo`, `id`),
  KEY `articles__embargo_sort_turned` (`embargo` DESC, `id`),
  CONSTRAINT `articles__cover_id_fk` FOREIGN KEY (`cover_id`) REFERENCES `files` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles__category_id_fk` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles__team_id_fk` FOREIGN KEY (`team_id`) REFERENCES `teams` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `articles_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `user_id` bigint,
  PRIMARY KEY (`id`),
  KEY `articles_component_links__owner_id__item_id__attribute_7a0c0b48` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `articles_component_links__user_id_index` (`user_id`),
  CONSTRAINT `articles_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links__user_id_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `articles_published` (
  `id` bigint NOT NULL,
  `title` longtext,
  `body` longtext,
  `visibility` varchar(255) DEFAULT 'public',
  `featured` boolean DEFAULT 0,
  `embargo` datetime(3),
  `cover_id` bigint,
  `note` longtext,
  `author_id` bigint,
  `author_position` bigint,
  `category_id` bigint,
  `category_position` bigint,
  `team_id` bigint,
  `team_position` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  PRIMARY KEY (`id`),
  KEY `articles_published__cover_id_index` (`cover_id`),
  KEY `articles_published__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  KEY `articles_published__category_id__category_position__id_index` (`category_id`, `category_position`, `id`),
  KEY `articles_published__team_id__team_position__id_index` (`team_id`, `team_position`, `id`),
  KEY `articles_published__visibility_sort` (`visibility`, `id`),
  KEY `articles_published__visibility_sort_turned` (`visibility` DESC, `id`),
  KEY `articles_published__embargo_sort` (`embargo`, `id`),
  KEY `articles_published__embargo_sort_turned` (`embargo` DESC, `id`),
  CONSTRAINT `articles_published__id_fk` FOREIGN KEY (`id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_published__cover_id_fk` FOREIGN KEY (`cover_id`) REFERENCES `files` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles_published__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles_published__category_id_fk` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL,
  CONSTRAINT `articles_published__team_id_fk` FOREIGN KEY (`team_id`) REFERENCES `teams` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `articles_component_links_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `user_id` bigint,
  PRIMARY KEY (`id`),
  KEY `articles_component_links_published__owner_id__item_id__c20d1a0a` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `articles_component_links_published__user_id_index` (`user_id`),
  CONSTRAINT `articles_component_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links_published__user_id_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- category.moderators
CREATE TABLE `categories_moderators_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `categories_moderators_links__owner_id__position__targe_6245dddf` (`owner_id`, `position`, `target_id`),
  KEY `categories_moderators_links__target_id__inverse_positi_0794407e` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `categories_moderators_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `categories` (`id`) ON DELETE CASCADE,
  CONSTRAINT `categories_moderators_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- comment
CREATE TABLE `comments` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` longtext NOT NULL,
  `hidden` boolean DEFAULT 0,
  `featured` boolean DEFAULT 0,
  `author_id` bigint,
  `author_position` bigint,
  `article_id` bigint,
  `article_position` bigint,
  `published_article_id` bigint,
  `published_article_position` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  KEY `comments__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  KEY `comments__article_id__article_position__id_index` (`article_id`, `article_position`, `id`),
  KEY `comments__published_article_id__published_article_posi_0bd46ed3` (`published_article_id`, `published_article_position`, `id`),
  CONSTRAINT `comments__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON DELETE SET NULL,
  CONSTRAINT `comments__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE SET NULL,
  CONSTRAINT `comments__published_article_id_fk` FOREIGN KEY (`published_article_id`) REFERENCES `articles` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- team.members
CREATE TABLE `teams_members_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `teams_members_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `teams_members_links__target_id__inverse_position__owne_866f1f19` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `teams_members_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `teams` (`id`) ON DELETE CASCADE,
  CONSTRAINT `teams_members_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- roles, what they may do
CREATE TABLE `user_role_permissions` (
  `role_id` bigint NOT NULL,
  `action` varchar(255) NOT NULL,
  `rule` longtext,
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
