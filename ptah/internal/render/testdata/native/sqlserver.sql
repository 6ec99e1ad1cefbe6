CREATE SCHEMA [app];
GO
CREATE SEQUENCE [app].[numbers] AS bigint START WITH 5 INCREMENT BY 2;
CREATE TABLE [app].[Orders](
  [Id] [int] IDENTITY(10,5) NOT NULL,
  [Code] [nvarchar](50) COLLATE Latin1_General_CI_AS NULL CONSTRAINT [code_given] CHECK ([Code] <> N''),
  [Total] [decimal](10, 2) NOT NULL DEFAULT ((0)),
  [Odd ]] name] [varchar](max) SPARSE NULL,
  [Twice] AS ([Total]*(2)) PERSISTED NOT NULL,
  [Made] [datetime2](7) NOT NULL DEFAULT (sysutcdatetime()),
  [Name] NVARCHAR(20) DEFAULT N'näme' UNIQUE,
  CONSTRAINT [PK_Orders] PRIMARY KEY NONCLUSTERED ([Id] ASC, [Made] DESC),
  CHECK ([Total] > 0)
);
ALTER TABLE [app].[Orders] WITH NOCHECK ADD CONSTRAINT [CK] CHECK ([Total]<(100));
CREATE TABLE dbo.lines (
  id INT PRIMARY KEY,
  name NVARCHAR(20) REFERENCES app.Orders (Name) ON DELETE SET NULL ON UPDATE NO ACTION
);
CREATE CLUSTERED INDEX [by_name] ON dbo.lines (name);
CREATE UNIQUE INDEX [IX_Code] ON [app].[Orders] ([Code] ASC, [Total] DESC) INCLUDE ([Made]) WHERE ([Code] IS NOT NULL);
GO
CREATE VIEW [app].[Open] (x) WITH SCHEMABINDING AS
SELECT [Id] FROM [app].[Orders] WITH CHECK OPTION;
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'It''s the code' , @level0type=N'SCHEMA',@level0name=N'app', @level1type=N'TABLE',@level1name=N'Orders', @level2type=N'COLUMN',@level2name=N'Code'
GO
EXEC sp_addextendedproperty 'MS_Description', 'all of it', 'SCHEMA', 'app'
GO
EXEC sp_addextendedproperty 'MS_Description', 'an index', 'SCHEMA', 'app', 'TABLE', 'Orders', 'INDEX', 'IX_Code'
GO
EXEC sp_addextendedproperty 'MS_Description', 'a view', 'SCHEMA', 'app', 'VIEW', 'Open'
