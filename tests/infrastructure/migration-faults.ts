type Rule = Readonly<{
  /** Message about a statement that violates the rule. */
  fault: string
  isBrokenBy: (statement: string) => boolean
}>

const has = (pattern: RegExp) => (statement: string) => pattern.test(statement)

/** Each ADD COLUMN of a statement, up to the next clause. */
const addedColumns = (statement: string): string[] =>
  statement.split(/,(?=\s*(?:ADD|DROP|ALTER|RENAME)\b)/i).filter(has(/\bADD COLUMN\b/i))

/** Changes that break the previous version, or block its statements for longer than a moment. */
const RULES: readonly Rule[] = [
  { fault: 'drops a table', isBrokenBy: has(/^DROP (TABLE|VIEW)\b/i) },
  { fault: 'drops a column', isBrokenBy: has(/^ALTER TABLE .*\bDROP COLUMN\b/is) },
  { fault: 'renames', isBrokenBy: has(/^ALTER (TABLE|VIEW) .*\bRENAME\b/is) },
  {
    fault: 'adds a column that the version before leaves empty',
    isBrokenBy: (statement) =>
      addedColumns(statement).some((column) => /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column)),
  },
  { fault: 'refuses null, which the version before may write', isBrokenBy: has(/\bSET NOT NULL\b/i) },
  {
    fault: 'changes a type: the table is written anew under a lock',
    isBrokenBy: has(/^ALTER TABLE .*\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/is),
  },
  {
    fault: 'reads the whole table under a lock: add NOT VALID, and validate in a separate migration',
    isBrokenBy: (statement) =>
      /^ALTER TABLE .*\bADD (CONSTRAINT|CHECK|FOREIGN KEY)\b/is.test(statement) &&
      !/\bNOT VALID\b/i.test(statement),
  },
  {
    fault: 'keeps writers waiting while an index is built, with no way to build it ahead: add IF NOT EXISTS',
    isBrokenBy: has(/^CREATE (UNIQUE )?INDEX (?!IF NOT EXISTS\b)/i),
  },
  { fault: 'locks a table', isBrokenBy: has(/^LOCK\b/i) },
  {
    fault: 'writes every row of a table in one transaction',
    isBrokenBy: (statement) => /^(UPDATE|DELETE)\b/i.test(statement) && !/\bWHERE\b/i.test(statement),
  },
]

/** The table that a statement is about. */
const tableOf = (statement: string): string | undefined =>
  (/^CREATE (?:UNIQUE )?INDEX.*?\bON (?:ONLY )?([\w.]+)/is.exec(statement) ??
    /^(?:ALTER TABLE|DROP TABLE|LOCK TABLE|UPDATE|DELETE FROM)(?: IF EXISTS)?(?: ONLY)? ([\w.]+)/i.exec(
      statement,
    ))?.[1]

/** Statements without comments; the bodies of functions, which run later, are left out. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, `''`)
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '')

/** Why a migration may not run while the version before serves, a line each. Tables that it creates are nobody's yet. */
export const faultsOf = (sql: string): string[] => {
  const statements = statementsOf(sql)
  const created = new Set(
    statements.map((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?([\w.]+)/i.exec(statement)?.[1]),
  )
  return statements
    .filter((statement) => {
      const table = tableOf(statement)
      return table === undefined || !created.has(table)
    })
    .flatMap((statement) =>
      RULES.filter((rule) => rule.isBrokenBy(statement)).map(({ fault }) => `${statement}: ${fault}`),
    )
}
