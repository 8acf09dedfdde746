import type { RecordType } from '#dns/records/record_type'

export const securityTypes: RecordType[] = []
