import type { RecordTables } from '#tests/unit/dns/tables/record_tables_type'
import { DIGEST_TABLES } from '#tests/unit/dns/tables/security_digest_tables'
import { KEY_TABLES } from '#tests/unit/dns/tables/security_key_tables'
import { SIGNATURE_TABLES } from '#tests/unit/dns/tables/security_signature_tables'

export const SECURITY_TABLES: Record<string, RecordTables> = {
  ...DIGEST_TABLES,
  ...KEY_TABLES,
  ...SIGNATURE_TABLES,
}
