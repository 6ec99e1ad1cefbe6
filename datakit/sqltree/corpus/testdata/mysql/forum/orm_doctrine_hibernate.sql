SELECT t0.ID AS ID_1, t0.user_login AS user_login_2, t0.user_email AS user_email_3, t0.display_name AS display_name_4 FROM wp_users t0 WHERE t0.user_login = ? LIMIT 1;

SELECT t0.id AS id_1, t0.name AS name_2, t0.slug AS slug_3, t0.parent_id AS parent_id_4, t5.id AS id_6, t5.name AS name_7 FROM `groups` t0 LEFT JOIN `groups` t5 ON t0.parent_id = t5.id WHERE t0.id = ?;

SELECT DISTINCT id_0 FROM (SELECT t0_.id AS id_0, t0_.title AS title_1, t0_.created_at AS created_at_2, r1_.id AS id_3 FROM Threads t0_ LEFT JOIN replies r1_ ON t0_.id = r1_.thread_id WHERE t0_.is_locked = ?) dctrn_result ORDER BY created_at_2 DESC LIMIT 20;

SELECT count(DISTINCT t0_.id) AS sclr_0 FROM Threads t0_ LEFT JOIN replies r1_ ON t0_.id = r1_.thread_id WHERE t0_.is_locked = 0;

SELECT COUNT(*) AS dctrn_count FROM (SELECT DISTINCT id_0 FROM (SELECT o0_.id AS id_0, o0_.total AS total_1 FROM `order` o0_ WHERE o0_.status IN (?, ?)) dctrn_result) dctrn_table;

SELECT DISTINCT id_0, MIN(sclr_4) AS dctrn_minrownum FROM (SELECT m0_.id AS id_0, m0_.path AS path_1, m0_.kind AS kind_2, m0_.bytes AS bytes_3, ROW_NUMBER() OVER(ORDER BY m0_.uploaded_at DESC) AS sclr_4 FROM media m0_) dctrn_result GROUP BY id_0 ORDER BY dctrn_minrownum ASC LIMIT 10 OFFSET 20;

INSERT INTO revisions (post_id, author_id, rev_no, title, body, diff, is_minor) VALUES (?, ?, ?, ?, ?, ?, ?);

UPDATE `order` SET status = ?, paid_at = ? WHERE id = ? AND status = ?;

DELETE FROM permission_grants WHERE id = ?;

SELECT t0.* FROM wp_usermeta t0 INNER JOIN (SELECT user_id, MAX(umeta_id) AS last_id FROM wp_usermeta GROUP BY user_id, meta_key) l1 ON l1.last_id = t0.umeta_id;

SELECT r0_.id AS id_0, r0_.body AS body_1, CONCAT(w1_.display_name, ' <', w1_.user_email, '>') AS sclr_2, (SELECT COUNT(v2_.user_id) AS sclr_4 FROM votes v2_ WHERE v2_.reply_id = r0_.id AND v2_.value > 0) AS sclr_3 FROM replies r0_ INNER JOIN wp_users w1_ ON r0_.user_id = w1_.ID AND (w1_.user_status = 0) WHERE r0_.deleted_at IS NULL ORDER BY sclr_3 DESC, id_0 ASC;

SELECT g0_.id AS id_0, g0_.`rank` AS rank_1, AVG(t1_.views) AS sclr_2 FROM `groups` g0_ INNER JOIN Threads t1_ ON g0_.id = t1_.group_id GROUP BY g0_.id, g0_.`rank` HAVING sclr_2 > ? ORDER BY rank_1 ASC;

SELECT o0_.id AS id_0, o1_.sku AS sku_1 FROM `order` o0_ LEFT JOIN orderItems o1_ ON o0_.id = o1_.orderId WHERE NOT EXISTS (SELECT 1 FROM `order` o2_ WHERE o2_.user_id = o0_.user_id AND o2_.placed_at > o0_.placed_at);

SELECT w0_.ID AS ID_0 FROM wp_users w0_ WHERE EXISTS (SELECT 1 FROM group_user g1_ INNER JOIN `groups` g2_ ON g2_.id = g1_.group_id WHERE g1_.user_id = w0_.ID AND g2_.id IN (?)) AND w0_.ID NOT IN (SELECT o3_.user_id FROM `order` o3_);

SELECT t.id, t.title, t.created_at FROM Threads t WHERE (t.created_at < ? OR (t.created_at = ? AND t.id < ?)) AND t.deleted_at IS NULL ORDER BY t.created_at DESC, t.id DESC LIMIT 21 FOR UPDATE;

UPDATE Threads SET last_reply_at = (SELECT MAX(r.created_at) FROM replies r WHERE r.thread_id = Threads.id) WHERE Threads.group_id IN (SELECT g.id FROM `groups` g WHERE g.parent_id = ?);

select thread0_.id as id1_3_, thread0_.title as title2_3_, thread0_.group_id as group_id3_3_, (select count(r.id) from replies r where r.thread_id = thread0_.id) as formula0_ from Threads thread0_ where thread0_.starter_id=? and ( thread0_.deleted_at is null) order by thread0_.id desc limit ?, ?;

select user0_.ID as ID1_0_0_, grants1_.id as id1_1_1_, user0_.user_login as user_log2_0_0_, grants1_.permission_id as permissi2_1_1_, grants1_.grantee_id as grantee_3_1_0__, grants1_.id as id1_1_0__ from wp_users user0_ left outer join permission_grants grants1_ on user0_.ID=grants1_.grantee_id and ( grants1_.grantee_type = 'user') where user0_.ID=?;

select o1_0.id,o1_0.currency,o1_0.placed_at,o1_0.status,o1_0.total,u1_0.ID,u1_0.display_name,i1_0.orderId,i1_0.lineNo,i1_0.qty,i1_0.sku,i1_0.unitPrice from `order` o1_0 join wp_users u1_0 on u1_0.ID=o1_0.user_id left join orderItems i1_0 on o1_0.id=i1_0.orderId where o1_0.id=?;

select g1_0.id,g1_0.name from `groups` g1_0 where exists(select 1 from group_user m1_0 where g1_0.id=m1_0.group_id and m1_0.user_id=?) and g1_0.visibility in (?,?) order by g1_0.`rank` limit ?;

insert into moderation_log (action, actor_id, created_at, detail, target_id, target_type) values (?, ?, ?, ?, ?, ?);

update replies set body=?, edited_at=?, score=? where id=? and edited_at=?;

delete from votes where reply_id=? and user_id=?;

select case when (count(p1_0.id)>0) then 1 else 0 end from permissions p1_0 where p1_0.`key`=?;

select distinct r1_0.id,r1_0.rev_no,r1_0.title from revisions r1_0 left join wp_users a1_0 on a1_0.ID=r1_0.author_id where upper(a1_0.display_name) like upper(?) escape '!' or lower(r1_0.title) like lower(?) escape '!';

select
        p1_0.ID,
        p1_0.post_title,
        c1_0.comment_post_ID,
        c1_0.comment_ID,
        c1_0.comment_content
    from
        wp_posts p1_0
    left join
        wp_comments c1_0
            on p1_0.ID=c1_0.comment_post_ID
    where
        p1_0.post_author=?
    order by
        c1_0.comment_date;

select max(h1_0.statDay), sum(h1_0.hits), coalesce(avg(h1_0.loadMs), 0.0) from PageStats h1_0 where h1_0.pageId=? group by h1_0.pageId;

select u1_0.ID, count(t1_0.id) from wp_users u1_0 left join Threads t1_0 on u1_0.ID=t1_0.starter_id group by u1_0.ID order by 2 desc, u1_0.ID limit 25;

select m1_0.id, case m1_0.kind when 'image' then 0 when 'video' then 1 else -1 end as clazz_, m1_0.path, m1_0.width, m1_0.height from media m1_0 where m1_0.kind in ('image','video') and (m1_0.taken_at is null or m1_0.taken_at>=?);

select node0_.id as node_id, node0_.name, count(up1_.id)-1 as depth from `groups` as node0_ cross join `groups` as up1_ where node0_.`rank` between up1_.`rank` and up1_.`rank`+9 group by node0_.id, node0_.name order by node0_.`rank`;

update wp_posts set comment_count=(select count(*) from wp_comments c1_0 where c1_0.comment_post_ID=wp_posts.ID and c1_0.comment_approved='1') where ID=?;

insert into group_user (group_id, user_id, role) select g1_0.id, ?, 'member' from `groups` g1_0 where g1_0.visibility='public' and not exists(select 1 from group_user x1_0 where x1_0.group_id=g1_0.id and x1_0.user_id=?);

select this_.id as y0_, this_.title as y1_, count(r1_.id) as y2_ from Threads this_ inner join replies r1_ on this_.id=r1_.thread_id where this_.title like ? group by this_.id, this_.title having count(r1_.id)>? order by y2_ desc, y1_ asc;

select tbl.next_val from (select option_value as next_val, option_name as segment from wp_options) tbl where tbl.segment=? for update;

DELETE g0_ FROM group_user g0_ INNER JOIN `groups` g1_ ON g0_.group_id = g1_.id WHERE g1_.visibility = 'hidden' AND g0_.expires_on < CURRENT_DATE();
