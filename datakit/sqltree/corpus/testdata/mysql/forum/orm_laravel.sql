select * from `groups` where `groups`.`id` = ? limit 1;

select `groups`.*, (select count(*) from `wp_users` inner join `group_user` on `wp_users`.`ID` = `group_user`.`user_id` where `groups`.`id` = `group_user`.`group_id`) as `users_count` from `groups` where `visibility` = ? order by `rank` asc;

select `wp_users`.*, `group_user`.`group_id` as `pivot_group_id`, `group_user`.`user_id` as `pivot_user_id`, `group_user`.`role` as `pivot_role` from `wp_users` inner join `group_user` on `wp_users`.`ID` = `group_user`.`user_id` where `group_user`.`group_id` in (1, 2, 3);

select count(*) as aggregate from `Threads` where `group_id` = ? and `Threads`.`deleted_at` is null;

select * from `Threads` where `group_id` = ? and `Threads`.`deleted_at` is null order by `pinned` desc, `last_reply_at` desc limit 15 offset 30;

select exists(select * from `group_user` where `group_id` = ? and `user_id` = ?) as `exists`;

insert into `groups` (`name`, `slug`, `visibility`, `settings`, `updated_at`, `created_at`) values (?, ?, ?, ?, ?, ?);

update `Threads` set `views` = `views` + 1 where `id` = ? and `Threads`.`deleted_at` is null;

update `Threads` set `deleted_at` = ?, `Threads`.`title` = ? where `id` in (?, ?, ?);

insert into `votes` (`created_at`, `reply_id`, `user_id`, `value`) values (?, ?, ?, ?), (?, ?, ?, ?) on duplicate key update `value` = values(`value`), `created_at` = values(`created_at`);

insert ignore into `group_user` (`group_id`, `user_id`) values (?, ?);

select * from `Threads` where exists (select * from `replies` where `Threads`.`id` = `replies`.`thread_id` and `score` > ? and `replies`.`deleted_at` is null) and `Threads`.`deleted_at` is null;

select * from `Threads` where (select count(*) from `replies` where `Threads`.`id` = `replies`.`thread_id` and `replies`.`deleted_at` is null) >= 5 and `Threads`.`deleted_at` is null;

select `replies`.*, (select sum(`votes`.`value`) from `votes` where `replies`.`id` = `votes`.`reply_id`) as `votes_sum_value` from `replies` where `replies`.`thread_id` in (8, 9) order by `votes_sum_value` desc;

select * from `replies` as `laravel_reserved_0` where `laravel_reserved_0`.`parent_id` in (4, 5, 6) and `laravel_reserved_0`.`deleted_at` is null;

select * from `replies` where exists (select * from `replies` as `laravel_reserved_1` where `replies`.`id` = `laravel_reserved_1`.`parent_id` and `laravel_reserved_1`.`deleted_at` is null) and `replies`.`deleted_at` is null order by `id` asc limit 1000;

select `wp_users`.*, (select `created_at` from `replies` where `user_id` = `wp_users`.`ID` order by `created_at` desc limit 1) as `last_reply_at` from `wp_users` order by `last_reply_at` desc;

delete from `group_user` where `group_user`.`group_id` = ? and `user_id` in (?, ?);

select * from `order` where `user_id` = ? and (`status` = ? or `total` > ?) and `placed_at` is not null for update;

select * from `order` where `id` = ? limit 1 lock in share mode;

select `order`.*, `w`.`display_name` as `buyer` from `order` left join `wp_users` as `w` on `w`.`ID` = `order`.`user_id` and `w`.`user_status` = ? where date(`order`.`placed_at`) = ? and year(`order`.`paid_at`) = ?;

select sum(`total`) as aggregate from `order` where `status` in (?, ?) and `placed_at` between ? and ?;

select count(*) as aggregate from (select `user_id` from `replies` group by `user_id` having count(*) > ?) as `temp_table`;

(select `id`, `title` as `label` from `Threads` where `title` like ?) union (select `id`, `name` as `label` from `groups` where `name` like ?) order by `label` asc limit 10;

(select `id` from `Threads` where `pinned` = 1) union all (select `thread_id` from `replies` where `score` > 50 limit 20);

select `user_id`, count(*) as `total`, max(`created_at`) as `latest` from `replies` where `deleted_at` is null group by `user_id` having `total` > ? order by `latest` desc;

select * from `moderation_log` where (`target_type` = ? and exists (select * from `Threads` where `moderation_log`.`target_id` = `Threads`.`id` and `is_locked` = ?)) or (`target_type` = ? and exists (select * from `replies` where `moderation_log`.`target_id` = `replies`.`id` and `score` < ?));

update `replies` inner join `Threads` on `Threads`.`id` = `replies`.`thread_id` set `replies`.`deleted_at` = ?, `Threads`.`reply_count` = `Threads`.`reply_count` - 1 where `Threads`.`group_id` = ?;

delete `replies` from `replies` left join `Threads` on `Threads`.`id` = `replies`.`thread_id` where `Threads`.`id` is null;

select * from (select `PageStats`.*, row_number() over (partition by `pageId` order by `hits` desc) as `laravel_row` from `PageStats`) as `laravel_table` where `laravel_row` <= 3 order by `laravel_row`;

select * from `Threads` where json_contains(`tags`, ?) and json_length(`tags`) >= ?;

select * from `groups` where json_unquote(json_extract(`settings`, '$."theme"."colour"')) = ? and not json_contains_path(`settings`, 'one', '$."archived"');

update `groups` set `settings` = json_set(`settings`, '$."limits"."posts"', ?), `groups`.`updated_at` = ? where `id` = ?;

update `groups` set `rank` = `rank` + 10, `updated_at` = ? where `rank` >= ? order by `rank` desc limit 50;

insert into `permission_grants` (`permission_id`, `grantee_type`, `grantee_id`) select `id`, 'group', 4 from `permissions` where `default` = 1;

insert into `order` set `user_id` = ?, `status` = 'cart', `currency` = default;

select distinct `currency` from `order` where `currency` is not null order by `currency` asc;

select * from `media` where `kind` = ? and find_in_set(?, `flags`) and (`width`, `height`) in ((1920, 1080), (1280, 720)) order by rand() limit 8;

select `t`.`id`, `t`.`title`, `s`.`n` from `Threads` as `t` inner join (select `thread_id`, count(*) as `n` from `replies` where `created_at` > ? group by `thread_id`) as `s` on `t`.`id` = `s`.`thread_id` order by `s`.`n` desc;

select `permissions`.*, `permission_grants`.`grantee_id` as `pivot_grantee_id`, `permission_grants`.`grant` as `pivot_grant` from `permissions` inner join `permission_grants` on `permissions`.`id` = `permission_grants`.`permission_id` where `permission_grants`.`grantee_id` in (3) and `permission_grants`.`grantee_type` = ?;

select * from `wp_users` where not exists (select * from `groups` inner join `group_user` on `groups`.`id` = `group_user`.`group_id` where `wp_users`.`ID` = `group_user`.`user_id` and `slug` = ?) order by `ID` asc limit 500;

select column_name as `column_name` from information_schema.columns where table_schema = ? and table_name = ?;

select `Threads`.`id`, `Threads`.`title`, exists(select 1 from `replies` where `replies`.`thread_id` = `Threads`.`id` and `replies`.`user_id` = ?) as `i_replied` from `Threads` where `Threads`.`id` > ? order by `Threads`.`id` limit 101;

update `order` set `status` = ?, `paid_at` = case when `paid_at` is null then now() else `paid_at` end where `id` = ? and `status` in ('placed', 'cart');
