CREATE TABLE person.businessentity (businessentityid int PRIMARY KEY, rowguid uuid, modifieddate timestamp);
CREATE TABLE person.person (businessentityid int PRIMARY KEY, persontype char(2), namestyle boolean, title varchar(8), firstname varchar(50), middlename varchar(50), lastname varchar(50), suffix varchar(10), emailpromotion int, additionalcontactinfo xml, demographics xml, rowguid uuid, modifieddate timestamp);
CREATE TABLE person.stateprovince (stateprovinceid int PRIMARY KEY, stateprovincecode char(3), countryregioncode varchar(3), isonlystateprovinceflag boolean, name varchar(50), territoryid int, rowguid uuid, modifieddate timestamp);
CREATE TABLE person.address (addressid int PRIMARY KEY, addressline1 varchar(60), addressline2 varchar(60), city varchar(30), stateprovinceid int, postalcode varchar(15), spatiallocation varchar(44), rowguid uuid, modifieddate timestamp);
CREATE TABLE person.addresstype (addresstypeid int PRIMARY KEY, name varchar(50), rowguid uuid, modifieddate timestamp);
CREATE TABLE person.businessentityaddress (businessentityid int, addressid int, addresstypeid int, rowguid uuid, modifieddate timestamp, PRIMARY KEY (businessentityid, addressid, addresstypeid));
CREATE TABLE person.contacttype (contacttypeid int PRIMARY KEY, name varchar(50), modifieddate timestamp);
CREATE TABLE person.businessentitycontact (businessentityid int, personid int, contacttypeid int, rowguid uuid, modifieddate timestamp, PRIMARY KEY (businessentityid, personid, contacttypeid));
CREATE TABLE person.emailaddress (businessentityid int, emailaddressid int, emailaddress varchar(50), rowguid uuid, modifieddate timestamp, PRIMARY KEY (businessentityid, emailaddressid));
CREATE TABLE person.password (businessentityid int PRIMARY KEY, passwordhash varchar(128), passwordsalt varchar(10), rowguid uuid, modifieddate timestamp);
CREATE TABLE person.phonenumbertype (phonenumbertypeid int PRIMARY KEY, name varchar(50), modifieddate timestamp);
CREATE TABLE person.personphone (businessentityid int, phonenumber varchar(25), phonenumbertypeid int, modifieddate timestamp, PRIMARY KEY (businessentityid, phonenumber, phonenumbertypeid));
CREATE TABLE person.countryregion (countryregioncode varchar(3) PRIMARY KEY, name varchar(50), modifieddate timestamp);
CREATE TABLE humanresources.department (departmentid int PRIMARY KEY, name varchar(50), groupname varchar(50), modifieddate timestamp);
CREATE TABLE humanresources.employee (businessentityid int PRIMARY KEY, nationalidnumber varchar(15), loginid varchar(256), jobtitle varchar(50), birthdate date, maritalstatus char(1), gender char(1), hiredate date, salariedflag boolean, vacationhours smallint, sickleavehours smallint, currentflag boolean, rowguid uuid, modifieddate timestamp, organizationnode varchar);
CREATE TABLE humanresources.employeedepartmenthistory (businessentityid int, departmentid smallint, shiftid smallint, startdate date, enddate date, modifieddate timestamp, PRIMARY KEY (businessentityid, startdate, departmentid, shiftid));
CREATE TABLE humanresources.employeepayhistory (businessentityid int, ratechangedate timestamp, rate numeric, payfrequency smallint, modifieddate timestamp, PRIMARY KEY (businessentityid, ratechangedate));
CREATE TABLE humanresources.jobcandidate (jobcandidateid int PRIMARY KEY, businessentityid int, resume xml, modifieddate timestamp);
CREATE TABLE humanresources.shift (shiftid int PRIMARY KEY, name varchar(50), starttime time, endtime time, modifieddate timestamp);
CREATE TABLE production.billofmaterials (billofmaterialsid int PRIMARY KEY, productassemblyid int, componentid int, startdate timestamp, enddate timestamp, unitmeasurecode char(3), bomlevel smallint, perassemblyqty numeric(8,2), modifieddate timestamp);
CREATE TABLE production.culture (cultureid char(6) PRIMARY KEY, name varchar(50), modifieddate timestamp);
CREATE TABLE production.document (title varchar(50), owner int, folderflag boolean, filename varchar(400), fileextension varchar(8), revision char(5), changenumber int, status smallint, documentsummary text, document bytea, rowguid uuid, modifieddate timestamp, documentnode varchar PRIMARY KEY);
CREATE TABLE production.illustration (illustrationid int PRIMARY KEY, diagram xml, modifieddate timestamp);
CREATE TABLE production.location (locationid int PRIMARY KEY, name varchar(50), costrate numeric, availability numeric(8,2), modifieddate timestamp);
CREATE TABLE production.product (productid int PRIMARY KEY, name varchar(50), productnumber varchar(25), makeflag boolean, finishedgoodsflag boolean, color varchar(15), safetystocklevel smallint, reorderpoint smallint, standardcost numeric, listprice numeric, size varchar(5), sizeunitmeasurecode char(3), weightunitmeasurecode char(3), weight numeric(8,2), daystomanufacture int, productline char(2), class char(2), style char(2), productsubcategoryid int, productmodelid int, sellstartdate timestamp, sellenddate timestamp, discontinueddate timestamp, rowguid uuid, modifieddate timestamp);
CREATE TABLE production.productcategory (productcategoryid int PRIMARY KEY, name varchar(50), rowguid uuid, modifieddate timestamp);
CREATE TABLE production.productcosthistory (productid int, startdate timestamp, enddate timestamp, standardcost numeric, modifieddate timestamp, PRIMARY KEY (productid, startdate));
CREATE TABLE production.productdescription (productdescriptionid int PRIMARY KEY, description varchar(400), rowguid uuid, modifieddate timestamp);
CREATE TABLE production.productdocument (productid int, modifieddate timestamp, documentnode varchar, PRIMARY KEY (productid, documentnode));
CREATE TABLE production.productinventory (productid int, locationid smallint, shelf varchar(10), bin smallint, quantity smallint, rowguid uuid, modifieddate timestamp, PRIMARY KEY (productid, locationid));
CREATE TABLE production.productlistpricehistory (productid int, startdate timestamp, enddate timestamp, listprice numeric, modifieddate timestamp, PRIMARY KEY (productid, startdate));
CREATE TABLE production.productmodel (productmodelid int PRIMARY KEY, name varchar(50), catalogdescription xml, instructions xml, rowguid uuid, modifieddate timestamp);
CREATE TABLE production.productmodelillustration (productmodelid int, illustrationid int, modifieddate timestamp, PRIMARY KEY (productmodelid, illustrationid));
CREATE TABLE production.productmodelproductdescriptionculture (productmodelid int, productdescriptionid int, cultureid char(6), modifieddate timestamp, PRIMARY KEY (productmodelid, productdescriptionid, cultureid));
CREATE TABLE production.productphoto (productphotoid int PRIMARY KEY, thumbnailphoto bytea, thumbnailphotofilename varchar(50), largephoto bytea, largephotofilename varchar(50), modifieddate timestamp);
CREATE TABLE production.productproductphoto (productid int, productphotoid int, "primary" boolean, modifieddate timestamp, PRIMARY KEY (productid, productphotoid));
CREATE TABLE production.productreview (productreviewid int PRIMARY KEY, productid int, reviewername varchar(50), reviewdate timestamp, emailaddress varchar(50), rating int, comments varchar(3850), modifieddate timestamp);
CREATE TABLE production.productsubcategory (productsubcategoryid int PRIMARY KEY, productcategoryid int, name varchar(50), rowguid uuid, modifieddate timestamp);
CREATE TABLE production.scrapreason (scrapreasonid int PRIMARY KEY, name varchar(50), modifieddate timestamp);
CREATE TABLE production.transactionhistory (transactionid int PRIMARY KEY, productid int, referenceorderid int, referenceorderlineid int, transactiondate timestamp, transactiontype char(1), quantity int, actualcost numeric, modifieddate timestamp);
CREATE TABLE production.transactionhistoryarchive (transactionid int PRIMARY KEY, productid int, referenceorderid int, referenceorderlineid int, transactiondate timestamp, transactiontype char(1), quantity int, actualcost numeric, modifieddate timestamp);
CREATE TABLE production.unitmeasure (unitmeasurecode char(3) PRIMARY KEY, name varchar(50), modifieddate timestamp);
CREATE TABLE production.workorder (workorderid int PRIMARY KEY, productid int, orderqty int, scrappedqty smallint, startdate timestamp, enddate timestamp, duedate timestamp, scrapreasonid smallint, modifieddate timestamp);
CREATE TABLE production.workorderrouting (workorderid int, productid int, operationsequence smallint, locationid smallint, scheduledstartdate timestamp, scheduledenddate timestamp, actualstartdate timestamp, actualenddate timestamp, actualresourcehrs numeric(9,4), plannedcost numeric, actualcost numeric, modifieddate timestamp, PRIMARY KEY (workorderid, productid, operationsequence));
CREATE TABLE purchasing.productvendor (productid int, businessentityid int, averageleadtime int, standardprice numeric, lastreceiptcost numeric, lastreceiptdate timestamp, minorderqty int, maxorderqty int, onorderqty int, unitmeasurecode char(3), modifieddate timestamp, PRIMARY KEY (productid, businessentityid));
CREATE TABLE purchasing.purchaseorderdetail (purchaseorderid int, purchaseorderdetailid int, duedate timestamp, orderqty smallint, productid int, unitprice numeric, receivedqty numeric(8,2), rejectedqty numeric(8,2), modifieddate timestamp, PRIMARY KEY (purchaseorderid, purchaseorderdetailid));
CREATE TABLE purchasing.purchaseorderheader (purchaseorderid int PRIMARY KEY, revisionnumber smallint, status smallint, employeeid int, vendorid int, shipmethodid int, orderdate timestamp, shipdate timestamp, subtotal numeric, taxamt numeric, freight numeric, modifieddate timestamp);
CREATE TABLE purchasing.shipmethod (shipmethodid int PRIMARY KEY, name varchar(50), shipbase numeric, shiprate numeric, rowguid uuid, modifieddate timestamp);
CREATE TABLE purchasing.vendor (businessentityid int PRIMARY KEY, accountnumber varchar(15), name varchar(50), creditrating smallint, preferredvendorstatus boolean, activeflag boolean, purchasingwebserviceurl varchar(1024), modifieddate timestamp);
CREATE TABLE sales.countryregioncurrency (countryregioncode varchar(3), currencycode char(3), modifieddate timestamp, PRIMARY KEY (countryregioncode, currencycode));
CREATE TABLE sales.creditcard (creditcardid int PRIMARY KEY, cardtype varchar(50), cardnumber varchar(25), expmonth smallint, expyear smallint, modifieddate timestamp);
CREATE TABLE sales.currency (currencycode char(3) PRIMARY KEY, name varchar(50), modifieddate timestamp);
CREATE TABLE sales.currencyrate (currencyrateid int PRIMARY KEY, currencyratedate timestamp, fromcurrencycode char(3), tocurrencycode char(3), averagerate numeric, endofdayrate numeric, modifieddate timestamp);
CREATE TABLE sales.customer (customerid int PRIMARY KEY, personid int, storeid int, territoryid int, rowguid uuid, modifieddate timestamp);
CREATE TABLE sales.personcreditcard (businessentityid int, creditcardid int, modifieddate timestamp, PRIMARY KEY (businessentityid, creditcardid));
CREATE TABLE sales.salesorderdetail (salesorderid int, salesorderdetailid int, carriertrackingnumber varchar(25), orderqty smallint, productid int, specialofferid int, unitprice numeric, unitpricediscount numeric, rowguid uuid, modifieddate timestamp, PRIMARY KEY (salesorderid, salesorderdetailid));
CREATE TABLE sales.salesorderheader (salesorderid int PRIMARY KEY, revisionnumber smallint, orderdate timestamp, duedate timestamp, shipdate timestamp, status smallint, onlineorderflag boolean, purchaseordernumber varchar(25), accountnumber varchar(15), customerid int, salespersonid int, territoryid int, billtoaddressid int, shiptoaddressid int, shipmethodid int, creditcardid int, creditcardapprovalcode varchar(15), currencyrateid int, subtotal numeric, taxamt numeric, freight numeric, totaldue numeric, comment varchar(128), rowguid uuid, modifieddate timestamp);
CREATE TABLE sales.salesorderheadersalesreason (salesorderid int, salesreasonid int, modifieddate timestamp, PRIMARY KEY (salesorderid, salesreasonid));
CREATE TABLE sales.salesperson (businessentityid int PRIMARY KEY, territoryid int, salesquota numeric, bonus numeric, commissionpct numeric, salesytd numeric, saleslastyear numeric, rowguid uuid, modifieddate timestamp);
CREATE TABLE sales.salespersonquotahistory (businessentityid int, quotadate timestamp, salesquota numeric, rowguid uuid, modifieddate timestamp, PRIMARY KEY (businessentityid, quotadate));
CREATE TABLE sales.salesreason (salesreasonid int PRIMARY KEY, name varchar(50), reasontype varchar(50), modifieddate timestamp);
CREATE TABLE sales.salestaxrate (salestaxrateid int PRIMARY KEY, stateprovinceid int, taxtype smallint, taxrate numeric, name varchar(50), rowguid uuid, modifieddate timestamp);
CREATE TABLE sales.salesterritory (territoryid int PRIMARY KEY, name varchar(50), countryregioncode varchar(3), "group" varchar(50), salesytd numeric, saleslastyear numeric, costytd numeric, costlastyear numeric, rowguid uuid, modifieddate timestamp);
CREATE TABLE sales.salesterritoryhistory (businessentityid int, territoryid int, startdate timestamp, enddate timestamp, rowguid uuid, modifieddate timestamp, PRIMARY KEY (businessentityid, startdate, territoryid));
CREATE TABLE sales.shoppingcartitem (shoppingcartitemid int PRIMARY KEY, shoppingcartid varchar(50), quantity int, productid int, datecreated timestamp, modifieddate timestamp);
CREATE TABLE sales.specialoffer (specialofferid int PRIMARY KEY, description varchar(255), discountpct numeric, type varchar(50), category varchar(50), startdate timestamp, enddate timestamp, minqty int, maxqty int, rowguid uuid, modifieddate timestamp);
CREATE TABLE sales.specialofferproduct (specialofferid int, productid int, rowguid uuid, modifieddate timestamp, PRIMARY KEY (specialofferid, productid));
CREATE TABLE sales.store (businessentityid int PRIMARY KEY, name varchar(50), salespersonid int, demographics xml, rowguid uuid, modifieddate timestamp);
CREATE VIEW humanresources.vemployee AS SELECT e.businessentityid, p.title, p.firstname, p.lastname, e.jobtitle, pp.phonenumber, a.addressline1, a.city
FROM humanresources.employee e JOIN person.person p ON p.businessentityid = e.businessentityid JOIN person.businessentityaddress ba ON ba.businessentityid = e.businessentityid
JOIN person.address a ON a.addressid = ba.addressid LEFT JOIN person.personphone pp ON pp.businessentityid = p.businessentityid;
CREATE VIEW humanresources.vemployeedepartment AS SELECT e.businessentityid, p.firstname, p.lastname, e.jobtitle, d.name AS department, d.groupname, h.startdate
FROM humanresources.employee e JOIN person.person p ON p.businessentityid = e.businessentityid
JOIN humanresources.employeedepartmenthistory h ON h.businessentityid = e.businessentityid JOIN humanresources.department d ON d.departmentid = h.departmentid;
CREATE VIEW humanresources.vjobcandidate AS SELECT jobcandidateid, businessentityid, resume, modifieddate FROM humanresources.jobcandidate;
CREATE VIEW production.vproductanddescription AS SELECT p.productid, p.name, pm.name AS productmodel, x.cultureid, d.description
FROM production.product p JOIN production.productmodel pm ON p.productmodelid = pm.productmodelid
JOIN production.productmodelproductdescriptionculture x ON pm.productmodelid = x.productmodelid JOIN production.productdescription d ON x.productdescriptionid = d.productdescriptionid;
CREATE VIEW purchasing.vvendorwithcontacts AS SELECT v.businessentityid, v.name, ct.name AS contacttype, p.firstname, p.lastname
FROM purchasing.vendor v JOIN person.businessentitycontact bc ON bc.businessentityid = v.businessentityid
JOIN person.contacttype ct ON ct.contacttypeid = bc.contacttypeid JOIN person.person p ON p.businessentityid = bc.personid;
CREATE VIEW sales.vindividualcustomer AS SELECT p.businessentityid, p.firstname, p.lastname, ea.emailaddress, a.city, p.demographics
FROM person.person p JOIN sales.customer c ON c.personid = p.businessentityid JOIN person.businessentityaddress ba ON ba.businessentityid = p.businessentityid
JOIN person.address a ON a.addressid = ba.addressid JOIN person.emailaddress ea ON ea.businessentityid = p.businessentityid;
CREATE VIEW sales.vsalesperson AS SELECT s.businessentityid, p.firstname, p.lastname, e.jobtitle, st.name AS territoryname, s.salesquota, s.salesytd
FROM sales.salesperson s JOIN humanresources.employee e ON e.businessentityid = s.businessentityid JOIN person.person p ON p.businessentityid = s.businessentityid
LEFT JOIN sales.salesterritory st ON st.territoryid = s.territoryid;
CREATE VIEW sales.vstorewithcontacts AS SELECT s.businessentityid, s.name, ct.name AS contacttype, p.firstname, p.lastname
FROM sales.store s JOIN person.businessentitycontact bc ON bc.businessentityid = s.businessentityid
JOIN person.contacttype ct ON ct.contacttypeid = bc.contacttypeid JOIN person.person p ON p.businessentityid = bc.personid;
