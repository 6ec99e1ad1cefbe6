insert into regions values (1, 'North'), (2, 'South');
insert into addresses values (1, 'Oslo'), (2, 'Rome');
insert into customers values (1, 'Ann', 1), (2, 'Bob', 2), (3, 'Cid', null);
insert into orders values (1, 1, 1, 1, 'web', 1, 'open'), (2, 1, 1, 2, 'shop', 1, 'open'), (3, 2, 2, 2, 'web', 1, 'done'), (4, 3, 1, 2, 'test', 1, 'done');
insert into order_items values (1, 1, 2), (1, 2, 1), (2, 1, 5), (3, 1, 1), (3, 2, null), (3, 3, 1);
insert into item_notes values (1, 1, 1, 'red'), (2, 1, 1, 'soft'), (3, 3, 2, 'late');
insert into payments values (1, 1, 10.50, 'settled', '2024-01-16 10:00:00'), (2, 1, 4.50, 'settled', '2024-01-31 23:59:59'),
  (3, 2, 20, 'settled', '2024-02-11 00:00:00'), (4, 3, 5, 'failed', '2024-02-21 12:00:00'), (5, 3, 15, 'settled', '2024-12-31 12:00:00'),
  (6, 4, 100, 'settled', '2024-05-05 12:00:00'), (7, null, 1, 'settled', '2024-05-06 00:00:00');
insert into log_lines values (1, 'a'), (1, 'b'), (2, 'a');
