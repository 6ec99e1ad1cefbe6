-- A maker of bicycles: five schemas, names without separators, and on every table the
-- same two columns that mean nothing to a join.
create schema person; create schema humanresources; create schema sales; create schema production; create schema purchasing;
create table person.businessentity (businessentityid integer primary key, rowguid uuid not null, modifieddate timestamp not null);
create table person.person (businessentityid integer primary key references person.businessentity, persontype char(2), title varchar(8), firstname varchar(50),
  lastname varchar(50), emailpromotion integer, rowguid uuid not null, modifieddate timestamp not null);
create table person.countryregion (countryregioncode varchar(3) primary key, name varchar(50), modifieddate timestamp not null);
create table person.stateprovince (stateprovinceid integer primary key, stateprovincecode char(3), countryregioncode varchar(3) references person.countryregion,
  name varchar(50), territoryid integer, rowguid uuid not null, modifieddate timestamp not null);
create table person.address (addressid integer primary key, addressline1 varchar(60), city varchar(30), stateprovinceid integer references person.stateprovince,
  postalcode varchar(15), rowguid uuid not null, modifieddate timestamp not null);
create table person.emailaddress (businessentityid integer references person.person, emailaddressid integer, emailaddress varchar(50), rowguid uuid not null,
  modifieddate timestamp not null, primary key (businessentityid, emailaddressid));
create table humanresources.employee (businessentityid integer primary key references person.person, nationalidnumber varchar(15), loginid varchar(256),
  jobtitle varchar(50), birthdate date, hiredate date, rowguid uuid not null, modifieddate timestamp not null);
create table humanresources.department (departmentid integer primary key, name varchar(50), groupname varchar(50), modifieddate timestamp not null);
create table humanresources.employeedepartmenthistory (businessentityid integer references humanresources.employee, departmentid integer references humanresources.department,
  startdate date, enddate date, modifieddate timestamp not null, primary key (businessentityid, departmentid, startdate));
create table sales.salesterritory (territoryid integer primary key, name varchar(50), countryregioncode varchar(3) references person.countryregion, costytd numeric,
  rowguid uuid not null, modifieddate timestamp not null);
create table sales.salesperson (businessentityid integer primary key references humanresources.employee, territoryid integer references sales.salesterritory,
  salesquota numeric, bonus numeric, rowguid uuid not null, modifieddate timestamp not null);
create table sales.store (businessentityid integer primary key references person.businessentity, name varchar(50), salespersonid integer references sales.salesperson,
  rowguid uuid not null, modifieddate timestamp not null);
create table sales.customer (customerid integer primary key, personid integer references person.person, storeid integer references sales.store,
  territoryid integer references sales.salesterritory, rowguid uuid not null, modifieddate timestamp not null);
create table sales.salesorderheader (salesorderid integer primary key, orderdate timestamp, duedate timestamp, status smallint,
  customerid integer references sales.customer, salespersonid integer references sales.salesperson, territoryid integer references sales.salesterritory,
  billtoaddressid integer references person.address, shiptoaddressid integer references person.address, subtotal numeric, rowguid uuid not null,
  modifieddate timestamp not null);
create table production.productcategory (productcategoryid integer primary key, name varchar(50), rowguid uuid not null, modifieddate timestamp not null);
create table production.productsubcategory (productsubcategoryid integer primary key, productcategoryid integer references production.productcategory, name varchar(50),
  rowguid uuid not null, modifieddate timestamp not null);
create table production.product (productid integer primary key, name varchar(50), productnumber varchar(25), color varchar(15), listprice numeric, size varchar(5),
  productsubcategoryid integer references production.productsubcategory, rowguid uuid not null, modifieddate timestamp not null);
create table sales.specialoffer (specialofferid integer primary key, description varchar(255), discountpct numeric, type varchar(50), category varchar(50),
  rowguid uuid not null, modifieddate timestamp not null);
create table sales.specialofferproduct (specialofferid integer references sales.specialoffer, productid integer references production.product, rowguid uuid not null,
  modifieddate timestamp not null, primary key (specialofferid, productid));
create table sales.salesorderdetail (salesorderid integer references sales.salesorderheader, salesorderdetailid integer, orderqty smallint, productid integer not null,
  specialofferid integer not null, unitprice numeric, rowguid uuid not null, modifieddate timestamp not null, primary key (salesorderid, salesorderdetailid),
  foreign key (specialofferid, productid) references sales.specialofferproduct (specialofferid, productid));
create table purchasing.shipmethod (shipmethodid integer primary key, name varchar(50), shipbase numeric, rowguid uuid not null, modifieddate timestamp not null);
