-- 0001_create_page_author_article_tag_front_remark_topic_c78853eb: applied on MySQL and MariaDB

-- page
CREATE TABLE `pages` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `rank` int,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `pages__document_id__locale_unique` (`document_id`, `locale`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- author
CREATE TABLE `authors` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `page_id` bigint,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `authors__document_id_unique` (`document_id`),
  UNIQUE KEY `authors__page_id_unique` (`page_id`),
  CONSTRAINT `authors__page_id_fk` FOREIGN KEY (`page_id`) REFERENCES `pages` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `title` longtext,
  `section` longtext,
  `author_id` bigint,
  `author_position` bigint,
  `facts` longtext,
  `blocks` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `articles__document_id_unique` (`document_id`),
  KEY `articles__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  CONSTRAINT `articles__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
ALTER TABLE `articles`
  ADD COLUMN `articles__title__section_search` longtext GENERATED ALWAYS AS (
      LOWER(REPLACE(REPLACE(CONCAT_WS(' ', `title`, `title`, `section`), '''', ' '), '_', ' '))
    ) STORED INVISIBLE;
SET SESSION innodb_ft_enable_stopword = 0;
CREATE FULLTEXT INDEX `articles__title__section_search`
  ON `articles` (`articles__title__section_search`);
SET SESSION innodb_ft_enable_stopword = DEFAULT;

-- tag
CREATE TABLE `tags` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `hidden` boolean DEFAULT 0,
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

-- article.related
CREATE TABLE `articles_related_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `articles_related_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `articles_related_links__target_id_index` (`target_id`),
  CONSTRAINT `articles_related_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_related_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `articles_component_links__owner_id__item_id__attribute_7a0c0b48` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `articles_component_links__article_id_index` (`article_id`),
  KEY `articles_component_links__tag_id_index` (`tag_id`),
  CONSTRAINT `articles_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `articles_published` (
  `id` bigint NOT NULL,
  `title` longtext,
  `section` longtext,
  `author_id` bigint,
  `author_position` bigint,
  `facts` longtext,
  `blocks` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `articles_published__document_id_unique` (`document_id`),
  KEY `articles_published__author_id__author_position__id_index` (`author_id`, `author_position`, `id`),
  CONSTRAINT `articles_published__id_fk` FOREIGN KEY (`id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_published__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
ALTER TABLE `articles_published`
  ADD COLUMN `articles_published__title__section_search` longtext GENERATED ALWAYS AS (
      LOWER(REPLACE(REPLACE(CONCAT_WS(' ', `title`, `title`, `section`), '''', ' '), '_', ' '))
    ) STORED INVISIBLE;
SET SESSION innodb_ft_enable_stopword = 0;
CREATE FULLTEXT INDEX `articles_published__title__section_search`
  ON `articles_published` (`articles_published__title__section_search`);
SET SESSION innodb_ft_enable_stopword = DEFAULT;

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

-- article.related
CREATE TABLE `articles_related_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `articles_related_links_published__owner_id__position___3ab7ad38` (`owner_id`, `position`, `target_id`),
  KEY `articles_related_links_published__target_id_index` (`target_id`),
  CONSTRAINT `articles_related_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_related_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- article
CREATE TABLE `articles_component_links_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `articles_component_links_published__owner_id__item_id__c20d1a0a` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `articles_component_links_published__article_id_index` (`article_id`),
  KEY `articles_component_links_published__tag_id_index` (`tag_id`),
  CONSTRAINT `articles_component_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links_published__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `articles_component_links_published__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- front
CREATE TABLE `fronts` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `hero` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `singleton` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `fronts__document_id_unique` (`document_id`),
  UNIQUE KEY `fronts__singleton_unique` (`singleton`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- front.articles
CREATE TABLE `fronts_articles_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `fronts_articles_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `fronts_articles_links__target_id_index` (`target_id`),
  CONSTRAINT `fronts_articles_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `fronts` (`id`) ON DELETE CASCADE,
  CONSTRAINT `fronts_articles_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- front
CREATE TABLE `fronts_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  PRIMARY KEY (`id`),
  KEY `fronts_component_links__owner_id__item_id__attribute___9fdef2d9` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `fronts_component_links__article_id_index` (`article_id`),
  CONSTRAINT `fronts_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `fronts` (`id`) ON DELETE CASCADE,
  CONSTRAINT `fronts_component_links__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `fronts_published` (
  `id` bigint NOT NULL,
  `hero` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `singleton` int NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `fronts_published__document_id_unique` (`document_id`),
  UNIQUE KEY `fronts_published__singleton_unique` (`singleton`),
  CONSTRAINT `fronts_published__id_fk` FOREIGN KEY (`id`) REFERENCES `fronts` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- front.articles
CREATE TABLE `fronts_articles_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `fronts_articles_links_published__owner_id__position__t_6ee1a1e9` (`owner_id`, `position`, `target_id`),
  KEY `fronts_articles_links_published__target_id_index` (`target_id`),
  CONSTRAINT `fronts_articles_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `fronts` (`id`) ON DELETE CASCADE,
  CONSTRAINT `fronts_articles_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- front
CREATE TABLE `fronts_component_links_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  PRIMARY KEY (`id`),
  KEY `fronts_component_links_published__owner_id__item_id__a_59b9cbf8` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `fronts_component_links_published__article_id_index` (`article_id`),
  CONSTRAINT `fronts_component_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `fronts` (`id`) ON DELETE CASCADE,
  CONSTRAINT `fronts_component_links_published__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark
CREATE TABLE `remarks` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `document_id` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `remarks__document_id_unique` (`document_id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- remark.subject
CREATE TABLE `remarks_subject_morphs` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `article_id` bigint,
  `author_id` bigint,
  `page_id` bigint,
  PRIMARY KEY (`id`),
  UNIQUE KEY `remarks_subject_morphs__owner_id_unique` (`owner_id`),
  UNIQUE KEY `remarks_subject_morphs__owner_id__article_id_unique` (`owner_id`, `article_id`),
  UNIQUE KEY `remarks_subject_morphs__owner_id__author_id_unique` (`owner_id`, `author_id`),
  UNIQUE KEY `remarks_subject_morphs__owner_id__page_id_unique` (`owner_id`, `page_id`),
  KEY `remarks_subject_morphs__article_id_index` (`article_id`),
  KEY `remarks_subject_morphs__author_id_index` (`author_id`),
  KEY `remarks_subject_morphs__page_id_index` (`page_id`),
  CONSTRAINT `remarks_subject_morphs__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `remarks` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_subject_morphs__article_id_fk` FOREIGN KEY (`article_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_subject_morphs__author_id_fk` FOREIGN KEY (`author_id`) REFERENCES `authors` (`id`) ON DELETE CASCADE,
  CONSTRAINT `remarks_subject_morphs__page_id_fk` FOREIGN KEY (`page_id`) REFERENCES `pages` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- topic
CREATE TABLE `topics` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` longtext,
  `rank` int,
  `parent_id` bigint,
  `parent_position` bigint,
  `fact` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `topics__document_id__locale_unique` (`document_id`, `locale`),
  KEY `topics__parent_id__parent_position__id_index` (`parent_id`, `parent_position`, `id`),
  CONSTRAINT `topics__parent_id_fk` FOREIGN KEY (`parent_id`) REFERENCES `topics` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- topic.articles
CREATE TABLE `topics_articles_links` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `topics_articles_links__owner_id__position__target_id_index` (`owner_id`, `position`, `target_id`),
  KEY `topics_articles_links__target_id__inverse_position__ow_01e73ae4` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `topics_articles_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE,
  CONSTRAINT `topics_articles_links__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- topic
CREATE TABLE `topics_component_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `topics_component_links__owner_id__item_id__attribute___8e96cda9` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `topics_component_links__tag_id_index` (`tag_id`),
  CONSTRAINT `topics_component_links__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE,
  CONSTRAINT `topics_component_links__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
CREATE TABLE `topics_published` (
  `id` bigint NOT NULL,
  `name` longtext,
  `rank` int,
  `parent_id` bigint,
  `parent_position` bigint,
  `fact` longtext,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  `_version` int NOT NULL DEFAULT 1,
  `published_at` datetime(3),
  `document_id` varchar(255) NOT NULL,
  `locale` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `topics_published__document_id__locale_unique` (`document_id`, `locale`),
  KEY `topics_published__parent_id__parent_position__id_index` (`parent_id`, `parent_position`, `id`),
  CONSTRAINT `topics_published__id_fk` FOREIGN KEY (`id`) REFERENCES `topics` (`id`) ON DELETE CASCADE,
  CONSTRAINT `topics_published__parent_id_fk` FOREIGN KEY (`parent_id`) REFERENCES `topics` (`id`) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- topic.articles
CREATE TABLE `topics_articles_links_published` (
  `owner_id` bigint NOT NULL,
  `target_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `inverse_position` bigint NOT NULL,
  PRIMARY KEY (`owner_id`, `target_id`),
  KEY `topics_articles_links_published__owner_id__position__t_8da2861c` (`owner_id`, `position`, `target_id`),
  KEY `topics_articles_links_published__target_id__inverse_po_983bcebc` (`target_id`, `inverse_position`, `owner_id`),
  CONSTRAINT `topics_articles_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE,
  CONSTRAINT `topics_articles_links_published__target_id_fk` FOREIGN KEY (`target_id`) REFERENCES `articles` (`id`) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;

-- topic
CREATE TABLE `topics_component_links_published` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `owner_id` bigint NOT NULL,
  `item_id` bigint NOT NULL,
  `attribute` varchar(255) NOT NULL,
  `position` bigint NOT NULL,
  `tag_id` bigint,
  PRIMARY KEY (`id`),
  KEY `topics_component_links_published__owner_id__item_id__a_6bf56438` (`owner_id`, `item_id`, `attribute`, `position`),
  KEY `topics_component_links_published__tag_id_index` (`tag_id`),
  CONSTRAINT `topics_component_links_published__owner_id_fk` FOREIGN KEY (`owner_id`) REFERENCES `topics` (`id`) ON DELETE CASCADE,
  CONSTRAINT `topics_component_links_published__tag_id_fk` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`) ON DELETE CASCADE
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

-- components, their ids
CREATE TABLE `component_ids` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;
