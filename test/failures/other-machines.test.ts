import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/failures/find-failures.js";

const containing = (text: string): string => expect.stringContaining(text);

/** Outputs of databases, containers and machines that cannot be run wherever the tests are, and what they say is wrong. */
const outputs: [name: string, output: string, failures: object[]][] = [
  [
    "Terraform",
    `Initializing the backend...
╷
│ Warning: Deprecated attribute
│ 
│   on main.tf line 3, in output "name":
╵
╷
│ Error: Reference to undeclared resource
│ 
│   on network.tf line 12, in resource "aws_instance" "web":
│   12:   subnet_id = aws_subnet.missing.id
│ 
│ A managed resource "aws_subnet" "missing" has not been declared in the root
│ module.
╵
`,
    [
      {
        tool: "terraform",
        file: "network.tf",
        line: 12,
        message:
          'Reference to undeclared resource: A managed resource "aws_subnet" "missing" has not been declared in the root module.',
      },
    ],
  ],
  [
    "a Docker build, by what failed in its step",
    `#9 [build 4/7] COPY package.json ./
#9 DONE 0.0s
#10 [build 5/7] RUN npm run build
#10 0.411
#10 0.412 > shop@1.0.0 build
#10 0.412 > tsc
#10 2.105 src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.
#10 ERROR: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2
------
 > [build 5/7] RUN npm run build:
0.412 > tsc
2.105 src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.
------
Dockerfile:11
--------------------
  11 | >>> RUN npm run build
--------------------
ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2
`,
    [{ code: "TS2322", file: "src/cart.ts", line: 4 }],
  ],
  [
    "a Docker build that lacks a file",
    `#7 [3/4] COPY dist ./dist
#7 ERROR: failed to calculate checksum of ref k3::x9: "/dist": not found
ERROR: failed to solve: failed to compute cache key: failed to calculate checksum of ref k3::x9: "/dist": not found
`,
    [{ message: containing('"/dist": not found') }, { message: containing('"/dist": not found') }],
  ],
  [
    "knex",
    `Using environment: development
migration file "20260301_prices.js" failed
migration failed with error: create table "prices" ("id" integer) - relation "prices" already exists
create table "prices" ("id" integer) - relation "prices" already exists
`,
    [{ message: 'create table "prices" ("id" integer) - relation "prices" already exists' }],
  ],
  [
    "Prisma",
    `Error: P3018

A migration failed to apply. New migrations cannot be applied before the error is recovered from.

Migration name: 20260301_prices

Database error code: 42P07

Database error:
ERROR: relation "prices" already exists
`,
    [{ code: "P3018", message: 'relation "prices" already exists' }],
  ],
  [
    "Flyway",
    `ERROR: Migration of schema "public" to version "2 - prices" failed! Changes successfully rolled back.
Script V2__prices.sql failed
----------------------------
SQL State  : 42P07
Error Code : 0
Message    : ERROR: relation "prices" already exists
Location   : db/migration/V2__prices.sql (/project/db/migration/V2__prices.sql)
Line       : 3
Statement  : create table prices (id int)
`,
    [{ file: "db/migration/V2__prices.sql", line: 3, message: 'relation "prices" already exists' }],
  ],
  [
    "a migration of Rails",
    `== 20260301 CreatePrices: migrating ==========================
-- create_table(:prices)
rails aborted!
StandardError: An error has occurred, this and all later migrations canceled:

PG::DuplicateTable: ERROR:  relation "prices" already exists
/project/db/migrate/20260301_create_prices.rb:3:in \`change'

Caused by:
PG::DuplicateTable: ERROR:  relation "prices" already exists

Tasks: TOP => db:migrate
`,
    [
      {
        code: "PG::DuplicateTable",
        file: "/project/db/migrate/20260301_create_prices.rb",
        line: 3,
        message: 'relation "prices" already exists',
      },
    ],
  ],
  [
    "a migration of Django",
    `Operations to perform:
  Apply all migrations: shop
Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/django/db/backends/utils.py", line 89, in _execute
    return self.cursor.execute(sql, params)
psycopg2.errors.DuplicateColumn: column "price" of relation "shop_item" already exists

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/project/manage.py", line 22, in <module>
    main()
django.db.utils.ProgrammingError: column "price" of relation "shop_item" already exists
`,
    [{ code: "ProgrammingError", message: 'column "price" of relation "shop_item" already exists' }],
  ],
  [
    "Alembic",
    "INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.\nFAILED: Multiple head revisions are present for given argument 'head'\n",
    [{ message: "Multiple head revisions are present for given argument 'head'" }],
  ],
  [
    "psql",
    'psql:schema.sql:14: ERROR:  relation "prices" already exists\n',
    [{ file: "schema.sql", line: 14, message: 'relation "prices" already exists' }],
  ],
  [
    "mysql",
    "ERROR 1050 (42S01) at line 3: Table 'prices' already exists\n",
    [{ code: "1050 (42S01)", line: 3, message: "Table 'prices' already exists" }],
  ],
  [
    "helm",
    'Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: spec.selector: field is immutable\n',
    [{ message: 'cannot patch "web" with kind Deployment: spec.selector: field is immutable' }],
  ],
  [
    "a template of helm",
    'Error: template: shop/templates/web.yaml:12:20: executing "shop/templates/web.yaml" at <.Values.image.tag>: nil pointer evaluating interface {}.tag\n',
    [{ file: "shop/templates/web.yaml", line: 12, message: containing("nil pointer evaluating") }],
  ],
  [
    "kubectl",
    'Error from server (NotFound): deployments.apps "web" not found\n',
    [{ message: 'Error from server (NotFound): deployments.apps "web" not found' }],
  ],
  [
    "Django's checks",
    `SystemCheckError: System check identified some issues:

ERRORS:
shop.Item.owner: (fields.E304) Reverse accessor 'User.item_set' clashes with reverse accessor.

System check identified 1 issue (0 silenced).
`,
    [{ code: "fields.E304", message: containing("clashes with reverse accessor") }],
  ],
  [
    "a push that is refused",
    `To example.com:acme/shop.git
 ! [rejected]        main -> main (non-fast-forward)
error: failed to push some refs to 'example.com:acme/shop.git'
hint: Updates were rejected because the tip of your current branch is behind
`,
    [{ message: "main -> main (non-fast-forward)" }],
  ],
  [
    "a lock of Terraform's state, without the lock's own data",
    `╷
│ Error: Error acquiring the state lock
│ 
│ Error message: ConditionalCheckFailedException: The conditional request failed
│ Lock Info:
│   ID:        5d8c
╵
`,
    [{ message: containing("The conditional request failed") }],
  ],
  [
    "Laravel's console",
    `
   Illuminate\\Database\\QueryException 

  SQLSTATE[42S01]: Base table or view already exists: 1050 Table 'orders' already exists (SQL: create table \`orders\`)

  at vendor/laravel/framework/src/Illuminate/Database/Connection.php:760
    756▕ 
`,
    [{ code: "Illuminate\\Database\\QueryException", message: containing("Table 'orders' already exists") }],
  ],
  [
    "a migration of .NET",
    `Build started...
Build succeeded.
Microsoft.Data.SqlClient.SqlException (0x80131904): There is already an object named 'Orders' in the database.
   at Microsoft.Data.SqlClient.SqlConnection.OnError(SqlException exception)
ClientConnectionId:aaaa
Error Number:2714,State:6,Class:16
There is already an object named 'Orders' in the database.
`,
    [{ code: "SqlException", message: "There is already an object named 'Orders' in the database." }],
  ],
  [
    "Flyway inside a program",
    `Exception in thread "main" org.flywaydb.core.api.FlywayException: Validate failed: Migrations have failed validation
Migration checksum mismatch for migration version 3
-> Applied to database : 123
-> Resolved locally    : 456
	at org.flywaydb.core.Flyway.doValidate(Flyway.java:1)
`,
    [{ code: "FlywayException", message: containing("Migration checksum mismatch for migration version 3") }],
  ],
];

describe("failures in the output of", () => {
  it.each(outputs)("%s", (_, output, failures) => {
    expect(findFailures(output)).toMatchObject(failures);
  });
});
