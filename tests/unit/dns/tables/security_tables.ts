import type { RecordTables } from '#tests/unit/dns/tables/record_tables_type'

export const SECURITY_TABLES: Record<string, RecordTables> = {}
