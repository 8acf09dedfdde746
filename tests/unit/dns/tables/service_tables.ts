import type { RecordTables } from '#tests/unit/dns/tables/record_tables_type'

export const SERVICE_TABLES: Record<string, RecordTables> = {}
