import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { rawRows } from '#database/statements/raw_rows'

type Row = Record<string, unknown>

/** Tables of the migration runner. Their content depends on how the migrations were run. */
const RUNNER_TABLE = /^zw_migrations/

/**
 * Describes the schema of a database, one line for each property, independent of the order of columns: tables, columns,
 * indexes, foreign keys, checks, sequences, triggers, functions and extensions.
 */
export async function schemaOf(client: QueryClientContract): Promise<string[]> {
  const lines = await READERS[client.dialect.name](client)
  return lines.filter((line) => !RUNNER_TABLE.test(line)).sort()
}

/** Returns the rows of all tables by table name, each row as JSON, sorted. */
export async function rowsOf(client: QueryClientContract): Promise<Record<string, string[]>> {
  const result: Record<string, string[]> = {}
  const lines = await schemaOf(client)
  const parts = lines.map((line) => line.split(' | '))
  for (const [table] of parts.filter(([, kind]) => kind === 'table')) {
    const rows = (await client.from(table)) as Row[]
    result[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  return result
}

const READERS: Record<string, (client: QueryClientContract) => Promise<string[]>> = {
  'better-sqlite3': sqliteSchema,
  'postgres': (client) => linesOf(client, POSTGRES),
  'mysql': (client) => linesOf(client, MARIADB),
}

/** Runs queries and joins the values of each row to a line. */
async function linesOf(client: QueryClientContract, queries: string[]): Promise<string[]> {
  const lines: string[] = []
  for (const query of queries) {
    const rows = await rawRows<Row>(client, query, [])
    lines.push(...rows.map((row) => Object.values(row).map(String).join(' | ')))
  }
  return lines
}

const POSTGRES = [
  `SELECT relname, 'table', relpersistence::text, coalesce(array_to_string(reloptions, ','), '') FROM pg_class
   WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = current_schema()::regnamespace`,
  `SELECT relname, 'column', attname, format_type(atttypid, atttypmod), attnotnull,
     pg_get_expr(adbin, adrelid), attgenerated::text, attidentity::text, collname, attstorage::text
   FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
   LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
   LEFT JOIN pg_collation ON pg_collation.oid = attcollation
   WHERE relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped
     AND relnamespace = current_schema()::regnamespace`,
  `SELECT indrelid::regclass::text AS relname, 'index', pg_get_indexdef(indexrelid), indisunique,
     indisprimary, indisvalid
   FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
   WHERE relnamespace = current_schema()::regnamespace`,
  `SELECT conrelid::regclass::text AS relname, 'constraint', conname, pg_get_constraintdef(oid)
   FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype <> 'n'`,
  `SELECT sequencename, 'sequence', data_type::text, start_value, increment_by
   FROM pg_sequences WHERE schemaname = current_schema()`,
  `SELECT tgrelid::regclass::text AS relname, 'trigger', pg_get_triggerdef(oid)
   FROM pg_trigger WHERE NOT tgisinternal`,
  `SELECT proname, 'function', pg_get_functiondef(oid) FROM pg_proc
   WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'
     AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`,
  `SELECT extname, 'extension', extversion FROM pg_extension`,
]

const HERE = 'table_schema = database()'
const MARIADB = [
  `SELECT table_name, 'table', table_type, engine, table_collation, row_format
   FROM information_schema.tables WHERE ${HERE}`,
  `SELECT table_name, 'column', column_name, column_type, is_nullable, column_default, extra,
     collation_name, generation_expression
   FROM information_schema.columns WHERE ${HERE}`,
  `SELECT table_name, 'index', index_name, seq_in_index, non_unique, column_name, collation,
     sub_part, index_type FROM information_schema.statistics WHERE ${HERE}`,
  `SELECT k.table_name, 'foreign key', k.constraint_name, k.ordinal_position, k.column_name,
     k.referenced_table_name, k.referenced_column_name, r.update_rule, r.delete_rule
   FROM information_schema.key_column_usage k
   JOIN information_schema.referential_constraints r
     ON r.constraint_schema = k.table_schema AND r.constraint_name = k.constraint_name
       AND r.table_name = k.table_name
   WHERE k.table_schema = database() AND k.referenced_table_name IS NOT NULL`,
  `SELECT constraint_name, 'check', check_clause FROM information_schema.check_constraints
   WHERE constraint_schema = database()`,
  `SELECT event_object_table, 'trigger', trigger_name, action_timing, event_manipulation,
     action_statement FROM information_schema.triggers WHERE trigger_schema = database()`,
  `SELECT routine_name, 'routine', routine_definition FROM information_schema.routines
   WHERE routine_schema = database()`,
]

/** SQLite stores definitions as text only. The parts of a table are compared one by one. */
async function sqliteSchema(client: QueryClientContract): Promise<string[]> {
  const rows = await rawRows<{ type: string; name: string; tbl_name: string; sql: string }>(
    client,
    "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    []
  )
  return rows.flatMap(({ type, name, tbl_name: table, sql }) => {
    const text = sql.replace(/[`"]/g, '').replace(/\s+/g, ' ').trim()
    if (type !== 'table') return [`${table} | ${type} | ${name} | ${text}`]
    const [parts, options] = partsOf(text)
    return [`${name} | table | ${options}`, ...parts.map((part) => `${name} | part | ${part}`)]
  })
}

/** Returns the parts of a CREATE TABLE between its parentheses, and the options after them. */
function partsOf(text: string): [parts: string[], options: string] {
  const parts = ['']
  let depth = 0
  for (let at = text.indexOf('('); at < text.length; at++) {
    const char = text[at]
    if (char === '(') depth++
    if (char === ')') depth--
    if (depth === 0) return [parts.map((part) => part.trim()), text.slice(at + 1).trim()]
    if (char === ',' && depth === 1) parts.push('')
    else if (depth > 1 || char !== '(') parts[parts.length - 1] += char
  }
  throw new Error(`Not a table: ${text}`)
}
