select v1_0.id,v1_0.kind,v1_0.patient_id,v1_0.started_at,v1_0.status from visits v1_0 where v1_0.id=$1;

select p1_0.id,p1_0.mrn,v1_0.patient_id,v1_0.id,v1_0.kind from patients p1_0 left join visits v1_0 on p1_0.id=v1_0.patient_id where p1_0.id=$1;

select s1_0.id,s1_0.full_name,d1_0.id,d1_0.code,d1_0.name from staff s1_0 join departments d1_0 on d1_0.id=s1_0.department_id where s1_0.role='physician' order by s1_0.family_name,s1_0.given_name offset $1 rows fetch first $2 rows only;

select count(*) from visits v1_0 where v1_0.department_id=$1 and v1_0.ended_at is null;

select patient0_.id as id1_5_, patient0_.given_name as given_na2_5_, patient0_.family_name as family_n3_5_ from patients patient0_ where patient0_.birth_date<$1 and (patient0_.email is not null) order by patient0_.family_name asc limit $2;

select visit0_.id as id1_9_0_, diagnoses1_.visit_id as visit_id1_8_1_, diagnoses1_.code as code2_8_1_, icdcode2_.title as title3_3_2_ from visits visit0_ left outer join visit_diagnoses diagnoses1_ on visit0_.id=diagnoses1_.visit_id left outer join icd_codes icdcode2_ on diagnoses1_.code=icdcode2_.code where visit0_.id=$1 order by diagnoses1_.rank;

insert into visits (attending_id,department_id,ended_at,kind,notes,patient_id,reason,room_id,started_at,status,triage_level,id) values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12);

update patients set email=$1,phones=$2,primary_physician_id=$3,updated_at=$4 where id=$5 and updated_at=$6;

delete from visit_diagnoses where visit_id=$1 and code=$2;

select nextval('measurements_id_seq');

select p1_0.id from patients p1_0 where exists(select 1 from visits v1_0 where p1_0.id=v1_0.patient_id and v1_0.kind='inpatient') and not exists(select 1 from prescriptions p2_0 where p2_0.patient_id=p1_0.id);

select d1_0.name,count(distinct v1_0.patient_id),avg(cast(v1_0.triage_level as float(53))) from departments d1_0 left join visits v1_0 on v1_0.department_id=d1_0.id group by d1_0.name having count(v1_0.id)>$1 order by 2 desc;

select m1_0.id,m1_0.name from medications m1_0 where lower(m1_0.name) like lower($1) escape '' and m1_0.is_controlled=false;

select i1_0.id,i1_0.number,i1_0.total,l1_0.invoice_id,l1_0.line_no,l1_0.amount,l1_0.quantity from billing.invoices i1_0 left join billing.invoice_lines l1_0 on i1_0.id=l1_0.invoice_id where i1_0.number=$1;

select i1_0.id from billing.invoices i1_0 where i1_0.total>(select avg(i2_0.total) from billing.invoices i2_0 where i2_0.payer_id=i1_0.payer_id);

select s1_0.id,case when s1_0.left_on is null then 0 when s1_0.role='nurse' then 1 else -1 end from staff s1_0 where s1_0.id in ($1,$2,$3);

select l1_0.id,v1_0.id,p1_0.mrn from lab_orders l1_0 join visits v1_0 on v1_0.id=l1_0.visit_id join patients p1_0 on p1_0.id=v1_0.patient_id where l1_0.status=$1 and l1_0.priority<=$2 order by l1_0.ordered_at for no key update of l1_0 skip locked;

select r1_0.id,r1_0.number from rooms r1_0 where r1_0.department_id=(select d1_0.id from departments d1_0 where d1_0.code=$1) and not(r1_0.kind in ('office','theatre'));

with descendants (id,parent_id,lvl) as (select d1_0.id,d1_0.parent_id,0 from departments d1_0 where d1_0.code='MED'), siblings as (select d2_0.id id,d2_0.name name from departments d2_0,descendants de1_0 where d2_0.parent_id=de1_0.parent_id) select s1_0.id,s1_0.name from siblings s1_0 where s1_0.id<>(select de2_0.id from descendants de2_0);

update shifts s1_0 set on_call=false,comment=(select s2_0.full_name from staff s2_0 where s2_0.id=s1_0.staff_id) where s1_0.department_id=$1;

delete from prescriptions p1_0 where p1_0.status='draft' and p1_0.created_at<$1;

insert into icd_codes(code,title,chapter) select 'X'||i1_0.code,i1_0.title||' (copy)',i1_0.chapter from icd_codes i1_0 where i1_0.parent_code=$1;

select v1_0.id,v1_0.started_at from visits v1_0 where (v1_0.patient_id,v1_0.started_at) in (select v2_0.patient_id,max(v2_0.started_at) from visits v2_0 group by v2_0.patient_id);

select extract(year from p1_0.birth_date),extract(month from p1_0.birth_date),count(1) from patients p1_0 group by 1,2 order by 1 nulls last;

select t1_0.tag from patients p1_0 cross join lateral unnest(p1_0.tags) t1_0(tag) where p1_0.id=$1 order by t1_0.tag;

select distinct u1_0."id",u1_0."email",s1_0.full_name from "User" u1_0 left join staff s1_0 on s1_0.id=u1_0."staffId" where u1_0."displayName" like $1 escape '\' order by u1_0."email";

select a1_0."id",a1_0."status",(a1_0."startsAt"+a1_0."durationMin"*interval '1 minute') from "Appointment" a1_0 where a1_0."staffId"=$1 and a1_0."startsAt"<$2;

select coalesce(sum(p1_0.amount),0) from billing.payments p1_0 join billing.invoices i1_0 on i1_0.id=p1_0.invoice_id where i1_0.patient_id=$1;

select x1_0.kind,x1_0.n from (select v1_0.kind kind,count(*) n from visits v1_0 group by v1_0.kind) x1_0 where x1_0.n>$1;

select p1_0.id,row_number() over(partition by p1_0.patient_id order by p1_0.created_at desc),sum(p1_0.dose) over(partition by p1_0.patient_id,p1_0.medication_id) from prescriptions p1_0;

select s1_0.id from staff s1_0 where s1_0.hired_on>=all(select s2_0.hired_on from staff s2_0 where s2_0.department_id=s1_0.department_id) union select a1_0.id from active_staff a1_0 where a1_0.department_code=$1;

SELECT p."id", p."mrn", t."n" FROM "patients" AS p INNER JOIN ( SELECT v."patient_id", count(*)::int AS "n" FROM "visits" AS v GROUP BY v."patient_id" ) AS t ON p."id" = t."patient_id" WHERE p."family_name" COLLATE "C" >= $1 ORDER BY t."n" DESC, p."id" LIMIT $2;

SELECT t.id, t.code, t0.id, t0.full_name FROM ( SELECT d.id, d.code FROM departments AS d WHERE d.closed_on IS NULL LIMIT $1 ) AS t LEFT JOIN LATERAL ( SELECT s.id, s.full_name FROM staff AS s WHERE t.id = s.department_id ORDER BY s.hired_on LIMIT 3 ) AS t0 ON TRUE ORDER BY t.id;

UPDATE visits AS v SET status = 'no_show' FROM patients AS p WHERE v.patient_id = p.id AND v.status = 'planned' AND v.started_at < now() - INTERVAL '6 hours' AND NOT (p.tags @> ARRAY['walk-in']::text[]);
